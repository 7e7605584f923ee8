/**
 * The entry point of the bundle for desktop clients. It runs a stdio proxy to a remote server. The client configures
 * the proxy through environment variables.
 */
import process from "node:process"
import { buildMcpUrl, proxyStdio } from "./stdioProxy.ts"

const { TRAILBOOK_KEY: key, TRAILBOOK_READ_ONLY: readOnly, TRAILBOOK_URL: url } = process.env

if (key === undefined || url === undefined || !URL.canParse(url)) {
  process.stderr.write("Set the server URL and an API key in this extension's settings.\n")
  process.exitCode = 2
} else {
  const address = buildMcpUrl(url, { readonly: readOnly === "true" ? "1" : "0" })
  await proxyStdio({ url: address, key, input: process.stdin, output: process.stdout })
}
