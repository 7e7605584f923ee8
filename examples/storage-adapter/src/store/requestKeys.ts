import type { RequestKeys } from "@trailbook/core/port"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { requestKey } from "../Rows.ts"
import { ConstraintViolation, get } from "../State.ts"

export const requestKeys = ({ read, write }: Journal): RequestKeys["Type"] => ({
  find: (key) => read(({ requests }) => Option.fromNullable(get(requests, requestKey(key)))),
  bind: (row) =>
    write(({ requests }) => {
      if (get(requests, requestKey(row)) !== undefined) throw new ConstraintViolation(`The key ${row.key} is bound.`)
      return [{ table: "requests", row }]
    })
})
