/** The MCP endpoint of a booking page for guests' assistants, without sign-in and with the limits of the page. */
import type { Actor } from "@trailbook/core/actor/Actor"
import { type Refusal, refuse } from "@trailbook/core/Refusal"
import { currentTime } from "@trailbook/core/time/currentTime"
import { read } from "@trailbook/http/body"
import { Failure } from "@trailbook/http/Failure"
import { checkIpLimits, type IpRateLimit } from "@trailbook/http/IpRateLimit"
import type { Reply } from "@trailbook/http/Reply"
import type { BodyKind } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"

/** Answers a message of the protocol as the visitor. `limits` take a booking or a try of a code from those of the page. */
export type GuestAssistant = (
  request: Request,
  asked: {
    readonly actor: Actor["Type"]
    readonly body: unknown
    readonly limits: Readonly<Record<"book" | "tryCode", Effect.Effect<void, Refusal>>>
  }
) => Effect.Effect<Reply>

export const message: BodyKind<unknown> = {
  within: (request, use, owners = []) => Effect.flatMap(read(request, { owners }), use)
}

/** Clients open an optional stream by GET, and expect 405 from a server without streams. */
export const noStream = new Failure(refuse("method_not_allowed", "POST"), { allow: "POST" })

/** Takes one request of the address from a limit. */
export const takeFrom = (limit: IpRateLimit, address: string | undefined): Effect.Effect<void, Refusal> =>
  Effect.flatMap(currentTime, (now) => checkIpLimits([limit], address, now) ?? Effect.void)
