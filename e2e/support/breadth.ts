/** Whether `npm run campaign -- breadth` runs: then tests try every row of their tables. */
const IS_BROAD = process.env["CAMPAIGN_BREADTH"] !== undefined;

/** The rows of a table that `npm test` tries, which differ most, and in a campaign the others as well. */
export function rows<TRow>(usual: readonly TRow[], others: readonly TRow[]): readonly TRow[] {
  return IS_BROAD ? [...usual, ...others] : usual;
}
