/** What a client says to its person beside the link of a card. It repeats nothing that was asked. */
export const PAGE_MESSAGE =
  "A person decides about this call. The page shows what is asked, and takes the answer.";
