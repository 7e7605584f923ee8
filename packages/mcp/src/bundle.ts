/**
 * What the bundle for desktop clients starts: standard streams to a server
 * elsewhere, set up by the variables that the client fills in.
 */
import process from "node:process"
import { addressOf, forward } from "./forward.ts"

const { TRAILBOOK_KEY: key, TRAILBOOK_READ_ONLY: readOnly, TRAILBOOK_URL: url } = process.env

if (key === undefined || url === undefined || !URL.canParse(url)) {
  process.stderr.write("Set the address of the server and an API key in the settings of this extension.\n")
  process.exitCode = 2
} else {
  const address = addressOf(url, { readonly: readOnly === "true" ? "1" : "0" })
  await forward({ url: address, key, input: process.stdin, output: process.stdout })
}
