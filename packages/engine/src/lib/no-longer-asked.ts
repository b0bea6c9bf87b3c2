/** The reason to abort the signal of a `hold` with, where the person is to read why nobody asks any more. */
export class NoLongerAsked extends Error {
  override readonly name = "NoLongerAsked";
}
