// The dashboard pages that the service worker saves. They contain guests' names, so they belong to one sign-in session
// and are deleted at sign-out.

/** Returns the cache name. An origin can serve several dashboards with different scopes. */
export const toCacheName = (scope: string): string => `trailbook.pages ${scope}`

/** Deletes the pages. A request that has already opened the cache writes to the deleted cache, which is never read. */
export const deleteSavedPages = async (scope: string): Promise<boolean> => caches.delete(toCacheName(scope))

const toLoginUrl = (scope: string): string => `${scope}/login`

/** Returns the ID of the sign-in session that the saved pages belong to. */
export const readLoginId = async (cache: Cache, scope: string): Promise<string | undefined> =>
  (await cache.match(toLoginUrl(scope)))?.text()

export const writeLoginId = (cache: Cache, scope: string, login: string): Promise<void> =>
  cache.put(toLoginUrl(scope), new Response(login))

const savedAt = "trailbook-saved-at"

export const setSavedTime = (headers: Headers, now: number): void => headers.set(savedAt, String(now))

/** Returns a saved page, unless it is older than `maxAgeMs`. */
export const findSavedPage = async (cache: Cache, url: string, maxAgeMs: number): Promise<Response | undefined> => {
  const page = await cache.match(url)
  const at = page?.headers.get(savedAt)
  return at !== null && at !== undefined && Date.now() - Number(at) < maxAgeMs ? page : undefined
}
