/** Loads all code of the client ahead of its first use. A failure shows at the first use. */
export async function preloadClient(): Promise<void> {
  await Promise.allSettled([
    import("./store/overview-pages.ts"),
    import("./transports/http/http-streams.ts"),
  ]);
}
