import type { ApiKeyStore } from "@trailbook/core/actor"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { get, inGroup } from "../State.ts"

export const apiKeyStore = ({ read, write }: Journal): ApiKeyStore["Type"] => ({
  find: (id) => read(({ apiKeys }) => Option.fromNullable(get(apiKeys, id))),
  list: (orgId) => read(({ apiKeys }) => page(inGroup(apiKeys, `org ${orgId}`), byCreation, { limit: Infinity })),
  put: (row) => write(() => [{ table: "apiKeys", row }]),
  touch: (id, lastUsedAt) =>
    write(({ apiKeys }) => {
      const key = get(apiKeys, id)
      return key === undefined ? [] : [{ table: "apiKeys", row: { ...key, lastUsedAt } }]
    })
})
