/**
 * Splits a URL with several hosts, such as `postgres://a:5432,b:5433/trips`, into one URL per host. `URL` and the
 * driver accept only a single host.
 */
export const splitHostUrls = (url: string): ReadonlyArray<string> => {
  const [, before = "", hosts = "", after = ""] = form.exec(url) ?? []
  return hosts.includes(",") ? hosts.split(",").map((host) => before + host + after) : [url]
}

/** Replaces the host in a URL with several hosts. */
export const replaceHosts = (url: string, hosts: ReadonlyArray<string>): string =>
  url.replace(form, (_, before: string, __, after: string) => before + hosts.join(",") + after)

const form = /^([^/?#]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * Formats the hosts, ports, and database name for messages. The password is left out. Throws if the URL is invalid.
 */
export const formatHosts = (url: string): string => {
  const urls = splitHostUrls(url).map((host) => new URL(host))
  return `${urls.map(({ host }) => host).join(",")}${urls[0]?.pathname ?? ""}`
}
