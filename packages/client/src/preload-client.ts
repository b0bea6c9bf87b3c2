/** Loads the client's lazy modules before their first use. Never rejects: failures show at the first use. */
export async function preloadClient(): Promise<void> {
  await Promise.allSettled([
    import("./store/overview-pages.ts"),
    import("./transports/http/http-streams.ts"),
  ]);
}
