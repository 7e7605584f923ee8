import type { OAuthClientStore } from "@trailbook/core/oauth"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { get, inGroup, sizeOf } from "../State.ts"

export const applicationStore = ({ read, write }: Journal): OAuthClientStore["Type"] => ({
  find: (clientId) => read(({ applications }) => Option.fromNullable(get(applications, clientId))),
  put: (row) => write(() => [{ table: "applications", row }]),
  removeUnused: (before, limit) =>
    write(({ applications, grants }) =>
      inGroup(applications, "all")
        .filter(({ clientId, readAt }) => readAt < before && sizeOf(grants, `client ${clientId}`) === 0)
        .toSorted((a, b) => a.readAt - b.readAt || (a.clientId < b.clientId ? -1 : 1))
        .slice(0, limit)
        .map((row) => ({ table: "applications", row, gone: true }))
    )
})
