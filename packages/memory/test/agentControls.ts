/** For each law of the ops agent's stores a storage that breaks it in the way somebody would. */
import { AutomationStore } from "@trailbook/core/automation/AutomationStore"
import { ProposalStore } from "@trailbook/core/proposal/ProposalStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { broken } from "./broken.ts"
import { minus, plus, tielessDown } from "./offByOne.ts"
import * as ReadCommitted from "./readCommitted.ts"

export const agentControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "automations/rows",
    "settings are put together with those of before",
    broken(AutomationStore, ({ list, put }) => ({
      put: (row) =>
        Effect.flatMap(
          list(row.orgId),
          (all) =>
            put({
              ...row,
              settings: { ...all.find(({ automation }) => automation === row.automation)?.settings, ...row.settings }
            })
        )
    }))
  ],
  [
    "automations/turns",
    "what is due now is not due yet",
    broken(AutomationStore, ({ claim }) => ({ claim: (given) => claim({ ...given, now: minus(given.now) }) }))
  ],
  [
    "automations/turns",
    "a void claim moves on",
    broken(AutomationStore, ({ list, moveOn, put }) => ({
      moveOn: (claim, nextAt) =>
        Effect.flatMap(
          moveOn(claim, nextAt),
          (good) =>
            good ?
              Effect.succeed(true) :
              Effect.flatMap(
                list(claim.orgId),
                (all) => Effect.as(Effect.forEach(all, (row) => put({ ...row, nextAt })), true)
              )
        )
    }))
  ],
  [
    "proposals/one",
    "it is looked for by its id alone",
    broken(ProposalStore, ({ add }) => ({ add: (row) => Effect.as(add(row), true) }))
  ],
  [
    "proposals/rows",
    "its title is not replaced",
    broken(ProposalStore, ({ find, put }) => ({
      put: (row) => Effect.flatMap(find([row]), ([before]) => put({ ...row, title: before?.title ?? row.title }))
    }))
  ],
  [
    "proposals/list",
    "a page goes on by time alone",
    broken(ProposalStore, ({ list }) => ({ list: (query) => list({ ...query, after: tielessDown(query.after) }) }))
  ],
  [
    "proposals/own",
    "the moment itself counts",
    broken(ProposalStore, ({ countOwn }) => ({ countOwn: (orgId, after) => countOwn(orgId, minus(after)) }))
  ],
  [
    "proposals/due",
    "what runs a millisecond later is due",
    broken(ProposalStore, ({ claim }) => ({ claim: (given) => claim({ ...given, now: plus(given.now) }) }))
  ],
  [
    "proposals/due",
    "every claim is good for ever",
    broken(ProposalStore, () => ({ isClaimed: () => Effect.succeed(true) }))
  ],
  [
    "proposals/overdue",
    "its last moment is not over yet",
    broken(ProposalStore, ({ overdue }) => ({ overdue: (now, limit) => overdue(minus(now), limit) }))
  ],
  [
    "proposals/cap",
    "the lock keeps nobody out",
    ReadCommitted.layer("none")
  ]
]
