/** Exposes the operations as tools. */
import { Refusal } from "@trailbook/core"
import { Actor, isPermitted } from "@trailbook/core/actor"
import type { AssistantCalls } from "@trailbook/core/assistant"
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCreate } from "@trailbook/core/booking"
import { canSeeGuests, type Registry, requiresGuestAccess } from "@trailbook/core/operation"
import { type Operation, toolsets, toToolName } from "@trailbook/core/operation/Operation"
import { orgExport, orgGet } from "@trailbook/core/org"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { type Caller, getConfirmationPolicy } from "../Caller.ts"
import * as Calls from "../OperationCaller.ts"
import { getToolViewMetadata } from "../resource/views.ts"
import { staffTools } from "../staff/staffTools.ts"
import { makeToolsLoadTool, toolsLoadOperation } from "../staff/toolsLoadTool.ts"
import { includesTool, isToolListed, type ToolFilter } from "../ToolFilter.ts"
import { type Annotations, toAnnotations } from "./annotations.ts"
import { findLocalTimeFix, resolveReferences } from "./arguments.ts"
import { buildResultSchema } from "./buildResultSchema.ts"
import { hasWideImpact, loadImpact } from "./callImpact.ts"
import { compactResult, type UnknownRecord } from "./compactResult.ts"
import { isCallForbidden, mayNeedPreview, needsConfirmation } from "./confirmation.ts"
import { convertDefectToRefusal } from "./convertDefectToRefusal.ts"
import { buildSchemaOverrides, withDefaults } from "./defaults.ts"
import { makePreviews, outdatedPreviewResult, previewFields, type TokenSigner } from "./preview.ts"
import {
  findSessionWarnings,
  getNextSteps,
  isBookingWithoutKey,
  listExistingResourceNotes,
  makeEmptyListHint
} from "./resultNotes.ts"
import { buildInputSchema, buildOutputSchema, type ObjectSchema } from "./schemas.ts"
import { shortenResult } from "./shortenResult.ts"
import { computeShorterLimit, runWithSizeLimit } from "./sizeLimit.ts"
import { copyWithLocalTimes, hasTimes, makeTimeFields } from "./toLocalTimes.ts"
import { makeSizeSummaryResult, makeSuccessResult, toErrorResult, type ToolResult } from "./ToolResult.ts"

/** A tool in the tool list. */
export type ToolEntry = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema?: ObjectSchema
  annotations: Annotations
  /** The view for the result. */
  _meta?: { ui: { resourceUri: string } }
}

export interface Tools {
  /**
   * Returns the tools that the caller may call, limited by the caller's filter and list. The tools are in a fixed
   * order.
   */
  readonly list: (caller: Caller) => Array<ToolEntry>
  /** Returns the operation for a tool name, regardless of the filter. */
  readonly find: (name: string) => Operation.Any | undefined
  /** Calls the operation. Rejects a tool that the caller cannot see. */
  readonly call: (
    caller: Caller,
    operation: Operation.Any,
    input: Input,
    /** Whether the user has confirmed this call in the client. */
    isConfirmed?: boolean
  ) => Effect.Effect<ToolResult>
}

type Input = Readonly<Record<string, unknown>>

export const make = (registry: Registry["Type"], sign: TokenSigner, note: AssistantCalls["Type"]["note"]): Tools => {
  const run = runWithSizeLimit(registry)
  const deskToolsByName = new Map(staffTools.map((tool) => [tool.operation.name, tool]))
  const allOperations = [...staffTools.map(({ operation }) => operation), toolsLoadOperation, ...registry.operations]
  const operations = toolsets.flatMap((toolset) => allOperations.filter(({ tool }) => tool.toolset === toolset))
  const byName = new Map(operations.map((operation) => [toToolName(operation), operation]))
  const entryBuilders = { lean: makeLeanEntries(operations), full: makeFullEntries(operations) }
  const call = Calls.make(registry)
  const loadCallImpact = loadImpact(call)
  const withLocalTimes = addLocalTimes(registry)
  const resolve = resolveReferences(call)
  const previews = makePreviews(call, sign)
  const suggestFix = findLocalTimeFix(call)

  const listPermitted = ({ actor, toolFilter }: Caller) =>
    operations
      .filter((operation) => isPermitted(actor, operation) && includesTool(toolFilter, operation))
      .filter(({ name }) => canSeeGuests(actor) || !requiresGuestAccess(name))
  const makeLoader = (caller: Caller) =>
    makeToolsLoadTool((group) =>
      listPermitted(caller)
        .filter(({ name, tool }) => tool.toolset === group && !isToolListed(caller, name))
        .map(entryBuilders.lean)
    )

  /**
   * Returns a preview if the call needs one, or an error if the call's token is not valid. Returns undefined if the
   * call can run.
   */
  const previewOrConfirm = (
    caller: Caller,
    operation: Operation.Any,
    input: Input,
    previewInput: Input,
    isConfirmed: boolean
  ) =>
    Effect.gen(function*() {
      const { actor } = caller
      if (isCallForbidden(actor, operation, input)) return undefined
      if (previewInput.preview === true) return yield* previews.show(actor, operation, input)
      if (previewInput.preview_token !== undefined) {
        const isAccepted = yield* previews.accepts(actor, operation, input, previewInput.preview_token)
        return isAccepted ? undefined : outdatedPreviewResult
      }
      const isConfirmationRequired = needsConfirmation(operation) || hasWideImpact(operation, input)
      return !isConfirmationRequired || isConfirmed || getConfirmationPolicy(caller) !== "always"
        ? undefined
        : yield* previews.show(actor, operation, input)
    })

  /**
   * Returns a link instead of an export. Returns undefined if the registry would refuse the call. API keys do not get a
   * link either, because their tools return the same data as the API.
   */
  const loadExportLink = ({ actor, exportLink }: Caller, operation: Operation.Any, input: Input) =>
    exportLink === undefined || actor._tag !== "Application" || operation.name !== orgExport.name ||
      Object.keys(input).length > 0 || !isPermitted(actor, operation) || !canSeeGuests(actor)
      ? Effect.succeed(undefined)
      : Effect.map(
        Effect.flatMap(exportLink(actor), (link) =>
          withLocalTimes(link, {
            note: "The link works once and expires after 10 minutes. Give it to the user, or download the file " +
              "with GET. Anyone with the link can read all data, including guest data."
          })),
        makeSuccessResult
      )

  const callTool = (
    caller: Caller,
    operation: Operation.Any,
    rawInput: Input,
    isConfirmed: boolean,
    record: CallRecord
  ): Effect.Effect<ToolResult> => {
    const { actor, toolFilter } = caller
    const canPreview = mayNeedPreview(operation)
    const { preview, preview_token, ...ownInput } = rawInput
    const input = canPreview ? ownInput : rawInput
    return Effect.gen(function*() {
      if (!includesTool(toolFilter, operation)) return toErrorResult(refuseHidden(operation, toolFilter))
      const startedAt = yield* currentTime
      const fullInput = withDefaults(operation, yield* resolve(actor, operation, input))
      record.bookingId = findBookingId(operation, fullInput)
      const previewResult = canPreview
        ? yield* previewOrConfirm(caller, operation, fullInput, { preview, preview_token }, isConfirmed)
        : undefined
      if (previewResult !== undefined) {
        if (previewResult.isError !== true) record.outcome = "preview"
        return previewResult
      }
      const link = yield* loadExportLink(caller, operation, fullInput)
      if (link !== undefined) return link
      // Read the impact before the call, because the call can delete the affected data.
      const impact = yield* loadCallImpact(actor, operation, fullInput)
      const ownTool = operation.name === toolsLoadOperation.name
        ? makeLoader(caller)
        : deskToolsByName.get(operation.name)
      const deskAnswer = yield* ownTool?.run(call, actor, fullInput) ?? Effect.succeed(undefined)
      // The registry returns the wire JSON object.
      const output = deskAnswer?.answer ?? (yield* run(operation, fullInput)) as UnknownRecord
      if (operation.name === bookingsCreate.name) record.bookingId = toId(output.id)
      if (operation.name === orgExport.name) return makeSizeSummaryResult(output)
      const { answer: visibleOutput, notes: slotNotes } = shortenResult(operation, output)
      const notesOfRepeat = listExistingResourceNotes(operation, output, startedAt, input)
      const notes = [
        ...notesOfRepeat,
        ...deskAnswer?.notes ?? [],
        ...yield* findSessionWarnings(call)(actor, operation, output, startedAt),
        ...slotNotes,
        ...makeEmptyListHint(operation, fullInput, visibleOutput),
        ...impact?.pastEffects ?? [],
        ...getNextSteps(operation, output, startedAt)
      ]
      const firstFields = {
        ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
        ...(impact?.affected === undefined ? {} : { affected: impact.affected }),
        ...(notesOfRepeat.length > 0 && isBookingWithoutKey(operation, input) ? { possible_duplicate: true } : {})
      }
      const result = makeSuccessResult(
        yield* withLocalTimes(compactResult(visibleOutput) as UnknownRecord, firstFields)
      )
      const limit = "limit" in operation.input.fields ? computeShorterLimit(input, result) : undefined
      return limit === undefined ? result : yield* callTool(caller, operation, { ...input, limit }, isConfirmed, record)
    }).pipe(
      Effect.provideService(Actor, actor),
      convertDefectToRefusal(operation.name),
      Effect.catchAll((refusal) => Effect.map(suggestFix(actor, input, refusal), (fix) => toErrorResult(refusal, fix)))
    )
  }

  return {
    list: (caller) =>
      listPermitted(caller).filter(({ name }) => isToolListed(caller, name)).map((operation) => {
        const baseEntry = entryBuilders[caller.toolFilter.schemas](operation)
        const entry = caller.views === undefined ? baseEntry : { ...baseEntry, ...getToolViewMetadata(operation) }
        if (getConfirmationPolicy(caller) !== "always" || !mayNeedPreview(operation)) return entry
        const { properties, ...schema } = entry.inputSchema
        return { ...entry, inputSchema: { ...schema, properties: { ...properties, ...previewFields } } }
      }),
    find: (name) => byName.get(name),
    call: (caller, operation, input, isConfirmed = false) =>
      Effect.suspend(() => {
        const record: CallRecord = { outcome: "done", bookingId: null }
        return Effect.tap(callTool(caller, operation, input, isConfirmed, record), ({ isError, structuredContent }) =>
          note(caller.actor, {
            ...record,
            operation: operation.name,
            ...(isError === true ? { outcome: String(structuredContent?.code) } : {})
          }))
      })
  }
}

/** The parts of a call's record that are unknown until the call runs. */
interface CallRecord {
  outcome: "done" | "preview"
  bookingId: string | null
}

/** Returns the booking that a call names. No other text from the input is ever recorded. */
const findBookingId = ({ path }: Operation.Any, { booking_id, id }: Input): string | null =>
  toId(/^\/bookings\/:id\b/.test(path) ? id : booking_id)

const toId = (value: unknown): string | null =>
  typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value.toLowerCase() : null

type EntryBuilder = (operation: Operation.Any) => ToolEntry

/** Caches the input schemas. */
const makeLeanEntries = (operations: ReadonlyArray<Operation.Any>): EntryBuilder => {
  const entries = new Map(operations.map((operation) => {
    const { title, description } = operation.tool
    const name = toToolName(operation)
    return [
      operation.name,
      {
        name,
        title,
        description,
        inputSchema: buildInputSchema(operation.input, buildSchemaOverrides(operation)),
        annotations: toAnnotations(operation)
      }
    ]
  }))
  return ({ name }) => entries.get(name) as ToolEntry
}

const makeFullEntries = (operations: ReadonlyArray<Operation.Any>): EntryBuilder => {
  const makeEntry = makeLeanEntries(operations)
  const outputs = new Map<string, ObjectSchema>()
  return (operation) => {
    // Compute the schema on first use, because few clients request result schemas.
    const schema = outputs.get(operation.name) ?? toResultSchema(operation)
    outputs.set(operation.name, schema)
    return { ...makeEntry(operation), outputSchema: schema }
  }
}

/** Returns the schema for a tool's result. */
const toResultSchema = ({ name, output }: Operation.Any): ObjectSchema =>
  name === orgExport.name ? exportSchema(buildOutputSchema(output)) : buildResultSchema(
    buildOutputSchema(output),
    name === availabilityGet.name
      ? { next_from: { type: "string", format: "date", description: "the value of from for the next page" } }
      : {}
  )

/** Returns the schema for the result of an export, which is either a link or the operation's unchanged output. */
const exportSchema = (output: ObjectSchema): ObjectSchema => {
  const { properties, required: _, ...schema } = output
  const url = { type: "string", description: "a download link instead of the data" }
  return { ...schema, properties: { ...properties, url } }
}

/**
 * Adds local times to a result, after `firstFields`. If the org's time zone cannot be read, the result keeps its
 * instants. The operation has already taken effect, so its result must be returned either way.
 */
const addLocalTimes =
  ({ run }: Registry["Type"]) =>
  (data: UnknownRecord, firstFields: UnknownRecord): Effect.Effect<UnknownRecord, never, Actor> => {
    if (!hasTimes(data)) return Effect.succeed({ ...firstFields, ...data })
    const source = typeof data.timezone === "string" ? Effect.succeed(data) : run(orgGet.name, {})
    return Effect.flatMap(source, (fields) => {
      const zone = Zone.get(String((fields as UnknownRecord).timezone))
      return Effect.map(
        currentTime,
        (now) => copyWithLocalTimes(data, zone, { ...firstFields, ...makeTimeFields(zone, now) })
      )
    }).pipe(Effect.catchAllCause(() => Effect.succeed({ ...firstFields, ...data })))
  }

const refuseHidden = (operation: Operation.Any, { readOnly, toolsets }: ToolFilter) =>
  new Refusal({
    code: "forbidden",
    message: `${toToolName(operation)} is not available on this connection, which uses toolsets=${
      [...toolsets].join(",")
    }${readOnly ? " and readonly=1" : ""}.`
  })
