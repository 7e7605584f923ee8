/**
 * Previews destructive and far-reaching calls. A preview contains the call's effects and a token that permits exactly
 * this call. The token's signature covers the caller, the input, and the records that determine the effects. The server
 * therefore stores nothing, and a change to any of those records invalidates the token.
 */
import type { Refusal } from "@trailbook/core"
import { type Actor, isEqualDigest, type VisitorAccess } from "@trailbook/core/actor"
import { type Operation, toToolName } from "@trailbook/core/operation/Operation"
import { currentTime } from "@trailbook/core/time/currentTime"
import { toInvalidRequest } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { OperationCaller } from "../OperationCaller.ts"
import { type CallImpact, canLoadImpact, previewImpact } from "./callImpact.ts"
import type { UnknownRecord } from "./compactResult.ts"
import type { JsonObject } from "./schemas.ts"
import { makeErrorResult, makeSuccessResult, type ToolResult } from "./ToolResult.ts"

export type TokenSigner = VisitorAccess["Type"]["sign"]

/** The fields that a tool has in addition to its operation's fields. */
export const previewFields: Readonly<Record<string, JsonObject>> = {
  preview: { type: "boolean", description: "true: only show what the call would do" },
  preview_token: { type: "string", description: "the preview's token, once the user agrees" }
}

const lifetimeSeconds = 10 * 60

const noImpact: CallImpact = {
  resourceNames: [],
  futureEffects: ["This call would change nothing: the change was already made, or the call would be rejected."],
  pastEffects: [],
  reversible: true
}

export interface Previews {
  /** Returns the call's effects and the token, without changing anything. */
  readonly show: (
    actor: Actor["Type"],
    operation: Operation.Any,
    input: UnknownRecord
  ) => Effect.Effect<ToolResult, Refusal>
  /** Whether the token permits this call right now. */
  readonly accepts: (
    actor: Actor["Type"],
    operation: Operation.Any,
    input: UnknownRecord,
    token: unknown
  ) => Effect.Effect<boolean, Refusal>
}

export const makePreviews = (call: OperationCaller, sign: TokenSigner): Previews => {
  const loadEffects = previewImpact(call)
  // If the caller cannot read the records, the preview contains the operation's summary.
  const loadImpact: typeof loadEffects = (actor, operation, input) =>
    Effect.catchAll(
      Effect.map(
        loadEffects(actor, operation, input),
        (impact) => impact ?? (canLoadImpact(operation) ? noImpact : undefined)
      ),
      (refusal) => refusal.kind === "forbidden" ? Effect.succeed(undefined) : Effect.fail(refusal)
    )

  const computeSignature = (
    actor: Actor["Type"],
    { name }: Operation.Any,
    input: UnknownRecord,
    impact: CallImpact | undefined,
    expiresAtSeconds: number
  ) =>
    Effect.map(
      sign(
        actor.orgId,
        `preview ${
          JSON.stringify([
            name,
            formatCaller(actor),
            sortKeys(input),
            impact?.futureEffects,
            impact?.affected,
            impact?.state,
            expiresAtSeconds
          ])
        }`
      ),
      (text) => text.slice(0, 40)
    )

  return {
    show: (actor, operation, input) =>
      Effect.gen(function*() {
        const result = Schema.decodeUnknownEither(operation.input, { onExcessProperty: "error" })(input)
        if (Either.isLeft(result)) return yield* toInvalidRequest(result.left)
        const impact = yield* loadImpact(actor, operation, input)
        const expiresAtSeconds = Math.floor((yield* currentTime) / 1000) + lifetimeSeconds
        const { summary, tool: { title } } = operation
        const isFinal = operation.hints.destructive === true && impact?.reversible !== true
        return makeSuccessResult({
          note: "This is a preview, and nothing was changed. Show it to the user. If the user agrees, call " +
            `${toToolName(operation)} again within 10 minutes with the same arguments and preview_token.`,
          preview: true,
          action: [title, ...impact?.resourceNames ?? []].join(": "),
          effects: [...impact?.futureEffects ?? [summary], ...(isFinal ? ["This cannot be undone."] : [])],
          ...(impact?.affected === undefined ? {} : { affected: impact.affected }),
          preview_token: `${expiresAtSeconds}.${yield* computeSignature(
            actor,
            operation,
            input,
            impact,
            expiresAtSeconds
          )}`
        })
      }),
    accepts: (actor, operation, input, token) =>
      Effect.gen(function*() {
        const [, expiryText = "", digest = ""] = /^(\d{10})\.([\da-f]{40})$/.exec(String(token)) ?? []
        if (expiryText === "" || Number(expiryText) * 1000 <= (yield* currentTime)) return false
        const impact = yield* loadImpact(actor, operation, input)
        return isEqualDigest(yield* computeSignature(actor, operation, input, impact, Number(expiryText)), digest)
      })
  }
}

/** The result of a call whose token does not permit it. */
export const outdatedPreviewResult: ToolResult = makeErrorResult({
  code: "preview_outdated",
  message: "This preview_token is not valid for this call. It expired, the data or the arguments changed, or it " +
    "belongs to another caller. Nothing was changed.",
  fix: "Call again with preview=true and without preview_token, and show the new preview to the user.",
  retryable: false
})

const formatCaller = (actor: Actor["Type"]): string =>
  `${actor._tag} ${actor._tag === "Application" ? actor.grantId : actor._tag === "Key" ? actor.keyId : ""}`

/** Sorts the fields, because a client may reorder them when it sends the token. */
const sortKeys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortKeys)
    : typeof value === "object" && value !== null
    ? Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, inner]) => [name, sortKeys(inner)])
    : value
