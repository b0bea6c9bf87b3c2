/**
 * Returns a unique key for a person: the id of a person who signed in at an issuer, otherwise the name. An id begins
 * unlike any account name of a system, so no name can equal someone else's id.
 */
export function personKeyOf({
  personId,
  person,
}: {
  readonly person: string;
  readonly personId?: string | undefined;
}): string {
  return personId ?? person;
}
