/**
 * Declares an operation. The REST route, the OpenAPI entry, the MCP tool, the typed client, and the required scope are
 * all derived from this declaration.
 */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Actor, Permission, Scope } from "../actor/Actor.ts"
import type { HostRefusalCode, Refusal } from "../Refusal.ts"
import type { RefusalCode } from "../refusals.ts"
import type { ChunkOf, Emit } from "./ResponseChunk.ts"

/** A struct that needs no services. Routes and tools are built from its fields. */
export type StructSchema = Schema.Schema.AnyNoContext & { readonly fields: Schema.Struct.Fields }

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** A method and a path. A segment such as `:id` is replaced by the input field with this name. */
export type Route = readonly [method: Method, path: `/${string}`]

/** Properties that a caller, particularly an assistant, should consider before a call. */
export interface OperationHints {
  /** Whether the effect is irreversible. */
  readonly destructive?: boolean
  /** Whether people outside the org are notified, such as a guest by mail. */
  readonly openWorld?: boolean
  /** Whether a call can move guest data out of Trailbook, through a complete export or continuous delivery to a URL. */
  readonly discloses?: boolean
  /** Whether a repeated call with the same input has no further effect. */
  readonly idempotent?: boolean
  /** The body field that the `Idempotency-Key` header sets. */
  readonly idempotencyKey?: string
}

/**
 * The groups of tools that can be enabled separately for an assistant. Tools are listed in this order, most used first.
 */
export const toolsets = ["bookings", "messages", "catalog", "agent", "admin", "reports"] as const

export type Toolset = (typeof toolsets)[number]

/** An operation as an MCP tool. */
export interface Tool {
  /** The name in the client's tool list. */
  readonly title: string
  /**
   * One line that states the effect, the data it changes, and anything irreversible. It is short because it takes up
   * context in every conversation.
   */
  readonly description: string
  readonly toolset: Toolset
}

export interface Operation<
  out Name extends string,
  out Input extends StructSchema,
  out Output extends Schema.Schema.AnyNoContext,
  out Code extends RefusalCode,
  out Chunked extends boolean = false,
  out At extends Route = Route
> {
  /** The name, in the form `resource.action`. The MCP tool's name has an underscore instead of the dot. */
  readonly name: Name
  readonly method: At[0]
  readonly path: At[1]
  readonly summary: string
  /** An additional paragraph for the reference. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Groups of fields. The registry refuses a request that does not have exactly one field from each group. */
  readonly exactlyOne: ReadonlyArray<ReadonlyArray<string>>
  /** The operation's own error codes, in addition to the codes that every operation can return. */
  readonly refusals: ReadonlyArray<Code>
  readonly status: 200 | 201
  /** The scope. Default: `read` for GET, otherwise `write`. */
  readonly scope: Scope
  /** A scope that also lets a staff member run the operation. */
  readonly staffScope?: Permission["staffScope"]
  readonly hints: OperationHints
  readonly tool: Tool
  /** Whether the operation reads or changes a single item and therefore needs no fair queueing. */
  readonly light: boolean
  /** Whether the response can be long and is emitted in chunks. */
  readonly chunked: Chunked
  /**
   * The maximum size of an HTTP request body, in bytes. Every valid input fits, even if every character is escaped.
   * Default: {@link defaultMaxBodyBytes}.
   */
  readonly maxBodyBytes: number
}

export declare namespace Operation {
  export type Any = Operation<string, StructSchema, Schema.Schema.AnyNoContext, RefusalCode, boolean>
  /** An operation that the registry can run: an API operation or a page operation (`PageOperation.ts`). */
  export type Declared = Pick<Any, "name" | "input" | "output" | "exactlyOne" | "refusals" | "scope" | "chunked">
  export type Input<Op extends Pick<Any, "input">> = Schema.Schema.Type<Op["input"]>
  export type Output<Op extends Pick<Any, "output">> = Schema.Schema.Type<Op["output"]>
  /**
   * Returns the API's JSON, or emits it in chunks. The code does not compile if the handler can return an
   * undeclared refusal. The host application's codes cannot be declared.
   */
  export type Handler<Op extends Declared> = Op["chunked"] extends true ? (
      input: Input<Op>,
      actor: Actor["Type"],
      emit: Emit<ChunkOf<Output<Op>>>
    ) => Effect.Effect<void, Refusal<Op["refusals"][number] | CommonRefusalCode | HostRefusalCode>>
    : (
      input: Input<Op>,
      actor: Actor["Type"]
    ) => Effect.Effect<Output<Op>, Refusal<Op["refusals"][number] | CommonRefusalCode | HostRefusalCode>>
}

/** The error codes that every operation can return. */
export type CommonRefusalCode = "invalid_request" | "unauthorized" | "forbidden" | "rate_limited" | "unavailable"

export const make = <
  const Name extends `${string}.${string}`,
  Input extends StructSchema,
  Output extends Schema.Schema.AnyNoContext,
  const Code extends RefusalCode = never,
  const Chunked extends boolean = false,
  const At extends Route = Route
>(
  name: Name,
  options:
    & Pick<Operation<Name, Input, Output, Code, Chunked>, "summary" | "input" | "output" | "tool">
    & Partial<
      Pick<
        Operation<Name, Input, Output, Code, Chunked>,
        "description" | "refusals" | "status" | "scope" | "staffScope" | "hints" | "light" | "chunked" | "maxBodyBytes"
      >
    >
    & { readonly route: At; readonly exactlyOne?: ReadonlyArray<ReadonlyArray<string & keyof Input["fields"]>> }
): Operation<Name, Input, Output, Code, Chunked, At> => {
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
    // The cast is safe, because the type parameter also defaults to `false`.
    chunked: false as Chunked,
    maxBodyBytes: defaultMaxBodyBytes,
    ...declared
  }
}

/** The maximum size of a request body in bytes, unless an operation declares its own. */
export const defaultMaxBodyBytes = 64 * 1024

/** Returns the MCP tool name: `bookings.get` becomes `bookings_get`. */
export const toToolName = (operation: Pick<Operation.Any, "name">): string => operation.name.replaceAll(".", "_")

/** Returns whether an operation changes no data. */
export const isReadOnly = ({ method, scope }: Pick<Operation.Any, "method" | "scope">): boolean =>
  method === "GET" || scope === "read"
