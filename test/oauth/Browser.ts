/** A response. The browser stores its cookie but does not follow redirects. */
export interface BrowserResponse {
  readonly status: number
  readonly html: string
  /** The target of a redirect, from a header or from a refresh in the page. */
  readonly onTo: string | undefined
  readonly headers: Headers
}

export class Browser {
  readonly #root: string
  #cookie = ""

  constructor(root: string) {
    this.#root = root
  }

  get cookie(): string {
    return this.#cookie
  }

  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<BrowserResponse> {
    return this.#ask(url, { headers })
  }

  post(
    url: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { "sec-fetch-site": "same-origin" }
  ): Promise<BrowserResponse> {
    return this.#ask(url, { method: "POST", body: new URLSearchParams(form), headers })
  }

  async #ask(
    url: string,
    init: RequestInit & { readonly headers: Readonly<Record<string, string>> }
  ): Promise<BrowserResponse> {
    const address = new URL(url, this.#root)
    const response = await fetch(address, {
      ...init,
      redirect: "manual",
      headers: { accept: "text/html", cookie: this.#cookie, ...init.headers }
    })
    const setCookie = response.headers.get("set-cookie")
    if (setCookie !== null) this.#cookie = setCookie.split(";")[0] ?? ""
    const html = await response.text()
    const refresh = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&")
    const location = response.headers.get("location")
    return {
      status: response.status,
      html,
      onTo: location === null ? refresh : new URL(location, address).href,
      headers: response.headers
    }
  }
}
