import { type RequestKey, RequestKeys } from "@trailbook/core/port/RequestKeys"
import * as Option from "effect/Option"
import { ConstraintViolation } from "./ConstraintViolation.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { requestKey, requireRow, type Tables } from "./Tables.ts"

export const layer = storeLayer(RequestKeys, ({ read, write }) => ({
  find: (key) => read((tables) => Option.fromNullable(find(tables, key))),
  bind: (request) =>
    write((tables) => {
      requireRow(tables.orgs, request.orgId)
      if (find(tables, request) !== undefined) throw new ConstraintViolation(`The key ${request.key} is bound.`)
      return { ...tables, requests: Table.put(tables.requests, request) }
    })
}))

const find = ({ requests }: Tables, key: RequestKey) => Table.get(requests, requestKey(key))
