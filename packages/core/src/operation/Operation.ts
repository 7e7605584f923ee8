/**
 * One declaration per operation. REST route, OpenAPI entry, MCP tool, typed
 * client and the key scope it needs are all read off this value.
 */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Actor, Scope } from "../actor/Actor.ts"
import type { OwnCode, Refusal } from "../Refusal.ts"
import type { RefusalCode } from "../refusals.ts"
import type { PartOf, Tell } from "./Part.ts"

/** A struct that needs no services: its fields are read to build routes and tools. */
export type Fields = Schema.Schema.AnyNoContext & { readonly fields: Schema.Struct.Fields }

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** What a caller, above all an assistant, should know before calling. */
export interface Hints {
  /** It undoes or ends something that cannot be brought back. */
  readonly destructive?: boolean
  /** Somebody outside the outfitter hears of it: a guest gets mail. */
  readonly openWorld?: boolean
  /** It hands out what guests gave: all of it at once, or to an address from now on. */
  readonly discloses?: boolean
  /** Calling it again with the same input changes nothing more. */
  readonly idempotent?: boolean
  /** The body field that the `Idempotency-Key` header stands for. */
  readonly idempotencyKey?: string
}

/**
 * The parts of the work: an assistant may be given the tools of some alone. In
 * the order in which tools are listed, the most used first.
 */
export const toolsets = ["bookings", "messages", "catalog", "agent", "admin"] as const

export type Toolset = (typeof toolsets)[number]

/** An operation as an assistant sees it. */
export interface Tool {
  /** What people read in their client's list. */
  readonly title: string
  /** One line: what it does, what it changes, what cannot be undone. Every line costs each conversation its room. */
  readonly description: string
  readonly toolset: Toolset
}

export interface Operation<
  out Name extends string,
  out Input extends Fields,
  out Output extends Schema.Schema.AnyNoContext,
  out Code extends RefusalCode,
  out InParts extends boolean = false
> {
  /** `resource.action`; the MCP tool is the same with an underscore. */
  readonly name: Name
  readonly method: Method
  /** `:id` names the input field that travels in the path. */
  readonly path: `/${string}`
  readonly summary: string
  /** A paragraph more than the summary, for the reference. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Groups of fields of which a request gives exactly one. */
  readonly exactlyOne: ReadonlyArray<ReadonlyArray<string>>
  /** The codes it may be refused with, besides those of every operation. */
  readonly refusals: ReadonlyArray<Code>
  readonly status: 200 | 201
  readonly scope: Scope
  readonly hints: Hints
  readonly tool: Tool
  /** It reads or changes one thing, so that nobody has to take turns with it. */
  readonly light: boolean
  /** Its answer may be long and is told in parts. */
  readonly inParts: InParts
  /** Maximum size of a request body over HTTP, in bytes. Every valid input fits, also with all characters escaped. */
  readonly maxBodyBytes: number
}

export declare namespace Operation {
  export type Any = Operation<string, Fields, Schema.Schema.AnyNoContext, RefusalCode, boolean>
  /** What is run: an operation of the API, or one that pages have (`PageOperation.ts`). */
  export type Declared = Pick<Any, "name" | "input" | "output" | "refusals" | "scope" | "inParts">
  export type Input<Op extends Pick<Any, "input">> = Schema.Schema.Type<Op["input"]>
  export type Output<Op extends Pick<Any, "output">> = Schema.Schema.Type<Op["output"]>
  /**
   * Answers with the wire's JSON, or tells it in parts. A refusal whose code is not declared does not
   * compile; one of the program around us cannot be declared.
   */
  export type Handler<Op extends Declared> = Op["inParts"] extends true ? (
      input: Input<Op>,
      actor: Actor["Type"],
      tell: Tell<PartOf<Output<Op>>>
    ) => Effect.Effect<void, Refusal<Op["refusals"][number] | CommonCode | OwnCode>>
    : (
      input: Input<Op>,
      actor: Actor["Type"]
    ) => Effect.Effect<Output<Op>, Refusal<Op["refusals"][number] | CommonCode | OwnCode>>
}

/** What any operation may be refused with. */
export type CommonCode = "invalid_request" | "unauthorized" | "forbidden" | "rate_limited" | "unavailable"

export const make = <
  const Name extends `${string}.${string}`,
  Input extends Fields,
  Output extends Schema.Schema.AnyNoContext,
  const Code extends RefusalCode = never,
  const InParts extends boolean = false
>(
  name: Name,
  options: {
    readonly route: readonly [Method, `/${string}`]
    readonly summary: string
    readonly description?: string
    readonly input: Input
    readonly output: Output
    readonly exactlyOne?: ReadonlyArray<ReadonlyArray<string & keyof Input["fields"]>>
    readonly refusals?: ReadonlyArray<Code>
    readonly status?: 200 | 201
    /** Left out: `read` for GET, `write` for the rest. */
    readonly scope?: Scope
    readonly hints?: Hints
    readonly tool: Tool
    readonly light?: boolean
    readonly inParts?: InParts
    /** Default {@link ordinaryBodyBytes}. */
    readonly maxBodyBytes?: number
  }
): Operation<Name, Input, Output, Code, InParts> => {
  const { route: [method, path], ...declared } = options
  return {
    name,
    method,
    path,
    description: options.summary,
    exactlyOne: [],
    refusals: [],
    status: 200,
    scope: method === "GET" ? "read" : "write",
    hints: {},
    light: false,
    // Left out, it is what its type says when nothing is said.
    inParts: false as InParts,
    maxBodyBytes: ordinaryBodyBytes,
    ...declared
  }
}

/** Maximum size of a request body in bytes, unless an operation declares its own. */
export const ordinaryBodyBytes = 64 * 1024

/** `bookings.get` is `bookings_get` to an assistant. */
export const toolName = (operation: Pick<Operation.Any, "name">): string => operation.name.replaceAll(".", "_")

/** Whether an operation changes nothing. */
export const isReadOnly = ({ method }: Pick<Operation.Any, "method">): boolean => method === "GET"
