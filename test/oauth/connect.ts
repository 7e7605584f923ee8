import type { Browser, BrowserResponse } from "./Browser.ts"

/** Approves the request on the consent page and returns the redirect URL. */
export const approve = async (
  browser: Browser,
  url: string,
  ticks: Readonly<Record<string, string>> = { read: "yes", write: "yes" }
): Promise<URL> => {
  const { onTo } = await submitDecision(browser, url, { ...ticks, decision: "allow" })
  if (onTo === undefined) throw new Error("The page leads nowhere.")
  return new URL(onTo)
}

export const submitDecision = async (
  browser: Browser,
  url: string,
  form: Readonly<Record<string, string>>
): Promise<BrowserResponse> => {
  const page = await browser.get(url)
  if (page.status !== 200) throw new Error(`The page was answered ${page.status}: ${page.html}`)
  const action = /<form method="post" action="([^"]*\/authorize[^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&")
  return browser.post(new URL(action ?? "", url).href, form)
}
