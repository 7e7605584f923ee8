import type { ResumableJobKey, ResumableJobStore } from "@trailbook/core/job"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { unfinishedKey } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const unfinishedStore = ({ read, write }: Journal): ResumableJobStore["Type"] => {
  const find = (key: ResumableJobKey) =>
    read(({ unfinished }) => Option.fromNullable(get(unfinished, unfinishedKey(key))))
  return {
    find,
    // Transactions run one after another, so a row cannot change between its read and the commit.
    lock: find,
    put: (row) => write(() => [{ table: "unfinished", row }]),
    remove: (key) =>
      write(({ unfinished }) => {
        const row = get(unfinished, unfinishedKey(key))
        return row === undefined ? [] : [{ table: "unfinished", row, gone: true }]
      }),
    untouchedSince: (moment, limit) =>
      read(({ unfinished }) =>
        inGroup(unfinished, "all")
          .filter(({ touchedAt }) => touchedAt <= moment)
          .sort((a, b) => a.touchedAt - b.touchedAt || (unfinishedKey(a) < unfinishedKey(b) ? -1 : 1))
          .slice(0, limit)
      )
  }
}
