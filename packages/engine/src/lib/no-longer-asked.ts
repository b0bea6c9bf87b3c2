/** An abort reason for the signal of a `hold`. The person sees why the request was withdrawn. */
export class NoLongerAsked extends Error {
  override readonly name = "NoLongerAsked";
}
