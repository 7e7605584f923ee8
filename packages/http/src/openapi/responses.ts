/** Builds the error responses. Responses shared by many operations are components. */
import { exampleMessage, httpStatus, type RefusalCode, refusalKind, refusalKinds } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import { hasBody } from "../request/input.ts"
import { errorHeaders } from "./headers.ts"

export const json = (schema: object) => ({ "application/json": { schema } })

export const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      description: "The reason for the error.",
      required: ["code", "message"],
      properties: {
        code: { type: "string", description: "A stable, machine-readable code." },
        message: { type: "string", description: "A human-readable message. Its wording can change." }
      }
    }
  }
}

const response = (code: RefusalCode, ...otherCodes: ReadonlyArray<RefusalCode>) => {
  const { next, status, when } = refusalKinds[refusalKind(code)]
  return {
    description: `${when} ${next}`,
    headers: errorHeaders(status),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(
          [code, ...otherCodes].map((code) => [code, { value: { error: { code, message: exampleMessage(code) } } }])
        )
      }
    }
  }
}

/**
 * Codes that can occur before or after an operation runs. If no other code has the same status, the response becomes a
 * component.
 */
const initialCodes = ["invalid_request", "unauthorized", "forbidden"] as const
const bodyCodes = ["too_large", "unsupported_media_type"] as const
const finalCodes = ["internal", "unavailable"] as const

const sharedCodes: ReadonlySet<RefusalCode> = new Set(
  [
    ...initialCodes,
    "not_found",
    ...bodyCodes,
    "rate_limited",
    ...finalCodes
  ] as const
)

const nameOf = (code: RefusalCode): string => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

export const sharedResponses: Readonly<Record<string, object>> = Object.fromEntries(
  [...sharedCodes].map((code) => [nameOf(code), response(code)])
)

/** Returns an operation's error responses by status. */
export const refusals = (operation: Operation.Any): Readonly<Record<string, object>> =>
  refusalResponses(operation.refusals, hasBody(operation))

/** Returns the error responses for a route or operation with the given additional codes. */
export const refusalResponses = (
  extraCodes: ReadonlyArray<RefusalCode>,
  takesBody: boolean
): Readonly<Record<string, object>> => {
  const byStatus = new Map<number, [RefusalCode, ...Array<RefusalCode>]>()
  for (
    const code of [
      ...initialCodes,
      ...(takesBody ? bodyCodes : []),
      "rate_limited",
      ...extraCodes,
      ...finalCodes
    ] as const
  ) {
    const codes = byStatus.get(httpStatus(code))
    if (codes === undefined) byStatus.set(httpStatus(code), [code])
    else codes.push(code)
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      codes.length === 1 && sharedCodes.has(codes[0])
        ? { $ref: `#/components/responses/${nameOf(codes[0])}` }
        : response(...codes)
    ])
  )
}
