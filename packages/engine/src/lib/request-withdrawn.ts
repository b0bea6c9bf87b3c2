/** An abort reason for the signal of a `hold`. The person sees why the request was withdrawn. */
export class RequestWithdrawn extends Error {
  override readonly name = "RequestWithdrawn";
}
