import { refuse } from "@trailbook/core"
import { ExportLinks } from "@trailbook/core/assistant"
import { Registry } from "@trailbook/core/operation"
import { orgExport } from "@trailbook/core/org"
import * as Effect from "effect/Effect"
import { HttpFailure } from "../HttpFailure.ts"
import * as IpRateLimit from "../limit/IpRateLimit.ts"
import { noBody } from "../request/noBody.ts"
import type { AcceptedCallers, AnyRoute, Route } from "../Route.ts"
import * as Disposition from "./disposition.ts"
import { maxUnreadCharacters, streamReply } from "./streamReply.ts"

/** Creates the route `GET /exports/:token`, which downloads an export through a link from `org_export`. */
export const exportDownloadRoute: Effect.Effect<AnyRoute, never, ExportLinks | Registry> = Effect.map(
  Effect.all([ExportLinks, Registry]),
  ([{ open }, { stream }]) => {
    const download: Route<Exclude<AcceptedCallers, "anyone">, undefined> = {
      method: "GET",
      path: "/exports/:token",
      name: "org.export_link",
      // A HEAD request must not use up the link, because link previews send HEAD requests.
      refuse: ({ method }) =>
        method === "HEAD" ? new HttpFailure(refuse("method_not_allowed", "GET"), { allow: "GET" }) : undefined,
      limits: [IpRateLimit.make({ times: 120 })],
      caller: {
        scope: orgExport.scope,
        find: ({ param }) =>
          Effect.catchTag(
            open(param("token")),
            "ExportLinkUnusable",
            ({ message }) => Effect.fail(new HttpFailure({ code: "not_found", message }, {}, 410))
          )
      },
      body: noBody,
      answer: ({ actor: { orgId } }) =>
        streamReply(200, (emit) => stream(orgExport.name, {}, emit), maxUnreadCharacters, orgId).pipe(
          Effect.map((reply) => ({ ...reply, headers })),
          Effect.mapError((refusal) => refusal.code === "not_found" ? new HttpFailure(refusal, {}, 410) : refusal)
        )
    }
    return download
  }
)

const headers = {
  "content-type": "application/json",
  "content-disposition": Disposition.format("attachment", "export.json"),
  "content-security-policy": "default-src 'none'; sandbox",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
}
