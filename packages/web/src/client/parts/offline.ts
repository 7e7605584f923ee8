// Registers the service worker and saves the pages that a guide needs at the river.
import { deleteSavedPages, findSavedPage, readLoginId, toCacheName } from "./savedPages.ts"

/** Scripts are served from a folder next to the dashboard. */
export const dashboardScope = new URL("../dashboard", import.meta.url).href

/** The maximum age of a saved departure page. When the Today page is opened, older pages are saved again. */
const maxAgeMs = 15 * 60_000

const isSaved = async (url: string): Promise<boolean> =>
  await findSavedPage(await caches.open(toCacheName(dashboardScope)), url, maxAgeMs) !== undefined

/** Requests a page unless its saved copy is recent. The service worker saves the response. */
const request = async (url: string): Promise<void> => {
  if (!await isSaved(url)) await (await fetch(url, { headers: { accept: "text/html" } })).text()
}

const start = async (login: string): Promise<void> => {
  const owner = await readLoginId(await caches.open(toCacheName(dashboardScope)), dashboardScope)
  if (owner !== undefined && owner !== login) await deleteSavedPages(dashboardScope)
  await navigator.serviceWorker.register(`${dashboardScope}/offline.js`, { scope: dashboardScope })
  if (navigator.serviceWorker.controller === null) {
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve))
  }
  // The service worker was not running yet when this page was requested, so request it again.
  const url = location.origin + location.pathname
  const isDeparture = /^\/departures\/[\w-]+$/.test(url.slice(dashboardScope.length))
  if (url === dashboardScope || isDeparture) await request(url)
  // Guides open the Today page in the office, but they open departure pages at the river, never on a desktop computer.
  if (url !== dashboardScope || !matchMedia("(pointer: coarse)").matches) return
  for (const { href } of document.querySelectorAll<HTMLAnchorElement>("#coming a.departs")) {
    await request(href)
  }
}

const { login } = document.querySelector<HTMLElement>("main[data-login]")?.dataset ?? {}
if (login !== undefined && "serviceWorker" in navigator) start(login).catch(() => {})
