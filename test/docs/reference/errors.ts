/** Writes `docs/reference/errors.md`: each code with its cause and its remedy. */
import { formatExampleMessage, getHttpStatus, refusalCodes, refusalKinds, refusals } from "@trailbook/core"
import { anchor, code, link, page, table, writtenNotice } from "./markdown.ts"

/** The error codes, sorted by status and then by declaration order. */
const codes = refusalCodes.map((name) => ({ name, ...refusals[name], status: getHttpStatus(name) })).sort((a, b) =>
  a.status - b.status
)

export const errorsPage = (): string =>
  page(
    "# Errors",
    "",
    writtenNotice,
    "",
    "Every error has the same body format. Each code has a fixed HTTP status.",
    "",
    "```json",
    JSON.stringify({ error: { code: "slot_full", message: formatExampleMessage("slot_full") } }),
    "```",
    "",
    "`code` is for programs and does not change. `message` is for people and can change in any release. New codes can be",
    "added, so handle an unknown code by its status.",
    "",
    table(
      ["status", "meaning", "what to do", "codes"],
      Object.values(refusalKinds).map(({ next, status, when }) => [
        String(status),
        when,
        next,
        codes.filter((one) => one.status === status).map(({ name }) => link(code(name), `#${anchor(name)}`)).join(", ")
      ])
    ),
    "",
    "If you get no response, send the same request again with the same `idempotency_key`. With status 429 or 503, `Retry-After` contains the number of",
    "seconds to wait. [Operations](operations.md) lists the codes that each operation can return.",
    codes.flatMap(({ name, next, status, when }) => [
      "",
      `## ${name}`,
      "",
      `Status ${status}. ${when}`,
      "",
      `**Action:** ${next}`
    ])
  )
