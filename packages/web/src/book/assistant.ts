/** A booking page's MCP endpoint for guests' assistants, and the documents through which assistants find it. */
import { type Refusal, refuse } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { formatAmount } from "@trailbook/core/money"
import type { PublicListingView, PublicOrgView } from "@trailbook/core/operation"
import { currentTime } from "@trailbook/core/time/currentTime"
import { HttpFailure } from "@trailbook/http/HttpFailure"
import { checkIpLimits, type IpRateLimit } from "@trailbook/http/limit/IpRateLimit"
import { read } from "@trailbook/http/request/body"
import type { Reply } from "@trailbook/http/response/Reply"
import type { BodyKind } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"

export interface GuestAssistantEndpoint {
  /** The version that the endpoint reports. */
  readonly version: string
  /**
   * Responds to a protocol message on the visitor's behalf. `limits` counts a booking or an attempted discount code
   * against the page's limits.
   */
  readonly answer: (
    request: Request,
    routeRequest: {
      readonly actor: Actor["Type"]
      readonly body: unknown
      readonly limits: Readonly<Record<"book" | "tryCode", Effect.Effect<void, Refusal>>>
    }
  ) => Effect.Effect<Reply>
}

export const mcpMessageBody: BodyKind<unknown> = {
  within: (request, use, owners = []) => Effect.flatMap(read(request, { owners }), use)
}

/** Clients open an optional stream with GET, and expect 405 from a server without streams. */
export const streamsUnsupportedFailure = new HttpFailure(refuse("method_not_allowed", "POST"), { allow: "POST" })

/** Counts one request from the address against a limit. */
export const checkRequestLimit = (limit: IpRateLimit, address: string | undefined): Effect.Effect<void, Refusal> =>
  Effect.flatMap(currentTime, (now) => checkIpLimits([limit], address, now) ?? Effect.void)

/** Returns the endpoint's server card (SEP-2127), which clients read to learn its name and URL before they connect. */
export const makeServerCardReply = (root: string, { name, slug }: PublicOrgView, version: string): Reply => {
  const pageUrl = `${root}/book/${slug}`
  return {
    status: 200,
    body: JSON.stringify({
      $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
      name: `${new URL(root).hostname.split(".").toReversed().join(".")}/${slug}`,
      version,
      title: name.slice(0, 100),
      description: `Find and book trips with ${name}`.slice(0, 100),
      websiteUrl: pageUrl,
      remotes: [{ type: "streamable-http", url: `${pageUrl}/mcp` }]
    }),
    headers: { ...publicHeaders, "content-type": "application/mcp-server-card+json" }
  }
}

/** Returns the trips, links, and endpoint as plain text for language models (llmstxt.org). */
export const makeLlmsTextReply = (
  root: string,
  { currency, name, phone, slug, timezone }: PublicOrgView,
  offerings: ReadonlyArray<PublicListingView>
): Reply => {
  const pageUrl = `${root}/book/${slug}`
  const trips = offerings.map(({ description, from_cents, id, location, name, price_cents }) => {
    const facts = [`from ${formatAmount(from_cents ?? price_cents, currency)}`, location, description]
    return `- [${toLine(name).replace(/[[\]]/g, "")}](${pageUrl}/${id}): ${
      facts.map(toLine).filter((fact) => fact !== "").join(". ")
    }`
  })
  return {
    status: 200,
    body: [
      `# ${toLine(name)}`,
      "",
      `> Trips from an outdoor outfitter in ${timezone}. Prices include mandatory fees. Quotes also show added taxes.`,
      "",
      `- Assistants can find, quote, and hold trips over MCP without a key: ${pageUrl}/mcp. The guest confirms each hold with an online payment or an emailed link.`,
      `- Guests book at ${pageUrl} and ask questions at ${pageUrl}/question.`,
      ...(phone === null ? [] : [`- Phone: ${toLine(phone)}`]),
      "",
      "## Trips",
      "",
      ...(trips.length === 0 ? ["No trips can be booked right now."] : trips),
      ""
    ].join("\n"),
    headers: { ...publicHeaders, "content-type": "text/plain; charset=utf-8" }
  }
}

/** Public data, which browser clients on other sites may read. */
const publicHeaders = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=300"
}

/** Converts the outfitter's text to a single line, so that it cannot start a heading. */
const toLine = (text: string): string => Array.from(text.replace(/\s+/g, " ").trim()).slice(0, 300).join("")
