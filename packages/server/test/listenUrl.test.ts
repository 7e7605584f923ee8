import { expect, it } from "vitest"
import { getListenUrl } from "../src/listenAddress.ts"

it.each([
  ["127.0.0.1", "http://127.0.0.1:4000"],
  ["0.0.0.0", "http://127.0.0.1:4000"],
  ["::", "http://[::1]:4000"],
  ["::1", "http://[::1]:4000"],
  ["localhost", "http://localhost:4000"]
])("a listener on %s is reachable at %s", (host, origin) => {
  expect(getListenUrl({ host, port: 4000 })).toBe(origin)
})
