// The dashboard's service worker. It saves the Today page and the departure pages, so that guides can check guests in
// offline, even after closing the browser. All other pages and all forms go to the network as usual.
import {
  deleteSavedPages,
  findSavedPage,
  readLoginId,
  setSavedTime,
  toCacheName,
  writeLoginId
} from "./parts/savedPages.ts"

declare const self: ServiceWorkerGlobalScope

/** If the network takes longer, the saved page is shown. The network response is saved once it arrives. */
const networkTimeoutMs = 3000
/** The age at which a saved page is no longer shown. The sign-in session lasts longer than this after each response. */
const maxAgeMs = 24 * 3600 * 1000

type OpenedCache = Promise<Cache | undefined>

const { scope } = self.registration
const name = toCacheName(scope)
const assets = new URL("assets/", scope).href

/** Opens the cache. Returns undefined if storage is unavailable, and the pages then work without it. */
const openCache = (): OpenedCache => caches.open(name).catch(() => undefined)

/** Whether the URL is the Today page or a departure page. */
const isSaveable = (url: string): boolean =>
  url.startsWith(scope) && /^(?:\/departures\/[\w-]+)?$/.test(url.slice(scope.length))

/**
 * Marks a page as a saved copy. The displayed time is the device's local time, like the clock in the phone's status
 * bar.
 */
const markAsCopy = (html: string, now: number): string => {
  const time = new Date(now).toLocaleString("en", { weekday: "short", hour: "numeric", minute: "2-digit" })
  const note = `Saved copy from ${time}. Check-ins are sent when you are back online.`
  return html.replace(
    /<main[^>]*/,
    (tag) => `${tag} data-saved="${now}"><p class="note saved" role="status">${note}</p`
  )
}

const saveAssets = async (cache: Cache, html: string): Promise<void> => {
  for (const [, path = ""] of html.matchAll(/"([^"#]*\/assets\/[\w.-]+)/g)) {
    const { href } = new URL(path, scope)
    if (href.startsWith(assets) && await cache.match(href) === undefined) await cache.add(href)
  }
}

const deleteExpired = async (cache: Cache): Promise<void> => {
  for (const { url } of await cache.keys()) {
    if (isSaveable(url) && await findSavedPage(cache, url, maxAgeMs) === undefined) await cache.delete(url)
  }
}

/**
 * Saves a response. The caller opens the cache before it sends the request, so if a sign-out deletes the saved pages in
 * the meantime, the response is discarded too.
 */
const savePage = async (url: string, pageCache: OpenedCache, responsePromise: Promise<Response>): Promise<void> => {
  const response = await responsePromise
  const cache = await pageCache
  if (cache === undefined) return
  // The pages redirect only to the sign-in page.
  if (response.type === "opaqueredirect" || response.redirected) return void await deleteSavedPages(scope)
  if ([403, 404, 410].includes(response.status)) return void await cache.delete(url)
  if (response.status !== 200) return
  const html = await response.text()
  // Other pages, such as a public network's sign-in page, do not have this attribute.
  const login = /<main[^>]* data-login="([^"]+)"/.exec(html)?.[1]
  if (login === undefined) return
  await self.navigator.locks.request(name, async () => {
    const owner = await readLoginId(cache, scope)
    // A late response may belong to the previous staff member, so no page is kept.
    if (owner !== undefined && owner !== login) return void await deleteSavedPages(scope)
    await writeLoginId(cache, scope, login)
    await deleteExpired(cache)
    await saveAssets(cache, html)
    const now = Date.now()
    const headers = new Headers(response.headers)
    setSavedTime(headers, now)
    // The page does not depend on the `Accept` header.
    headers.delete("vary")
    await cache.put(url, new Response(markAsCopy(html, now), { headers }))
  })
}

/** Waits for the network, but shows the saved page if the network is slow or unavailable. */
const withSavedFallback = async (
  url: string,
  pageCache: OpenedCache,
  responsePromise: Promise<Response>
): Promise<Response> => {
  const cache = await pageCache
  const savedPage = cache === undefined ? undefined : await findSavedPage(cache, url, maxAgeMs)
  if (savedPage === undefined) return responsePromise
  const fallback = new Promise<Response>((resolve) => setTimeout(() => resolve(savedPage), networkTimeoutMs))
  return Promise.race([responsePromise.catch(() => savedPage), fallback])
}

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))
self.addEventListener("fetch", (event) => {
  const { request } = event
  const url = request.url.replace(/[?#].*/, "")
  if (request.method !== "GET") return
  // An asset's name contains a hash of its content, so a cached asset is never stale.
  if (url.startsWith(assets)) {
    return event.respondWith(
      openCache().then((cache) => cache?.match(url)).then((asset) => asset ?? fetch(request))
    )
  }
  // Pages send this header when they refresh themselves.
  const isRefresh = request.headers.get("accept") === "text/html"
  if (!isSaveable(url) || !(isRefresh || request.mode === "navigate")) return
  const pageCache = openCache()
  const responsePromise = pageCache.then(() => fetch(request))
  event.waitUntil(savePage(url, pageCache, responsePromise.then((response) => response.clone())).catch(() => {}))
  event.respondWith(isRefresh ? responsePromise : withSavedFallback(url, pageCache, responsePromise))
})
