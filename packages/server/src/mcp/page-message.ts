/** The client's text for the person, next to a card's link. It repeats nothing of the request. */
export const PAGE_MESSAGE =
  "A person decides about this call. The page shows the request and takes the answer.";
