/** Checks for Node, its time zone data, the clock, the SQLite driver, and the port. */
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import { getListenUrl, isTrailbookServer } from "@trailbook/server/listenAddress"
import * as Effect from "effect/Effect"
import { createServer } from "node:net"
import { type Finding, makeFailedFinding, makePassedFinding } from "./Finding.ts"

export const checkNodeVersion = (version: string): Finding => {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number)
  return major > 20 || major === 20 && minor >= 19
    ? makePassedFinding("node", version)
    : makeFailedFinding("node", `${version} is too old`, "Install Node 20.19 or newer.")
}

/** Checks the time zone data. A Node build with small ICU supports only UTC, which would shift every trip by hours. */
export const checkTimeZoneData = (version: string | undefined): Finding => {
  const wrongSamples = samples.filter(({ at, minutes, zone }) =>
    Zone.find(zone)?.offsetAt(Instant.parse(at) ?? Instant.min) !== minutes * 60_000
  )
  const label = `time zone data ${version ?? "of an unknown version"}`
  return wrongSamples.length === 0
    ? makePassedFinding("zones", label)
    : makeFailedFinding(
      "zones",
      `${label} has wrong offsets for ${wrongSamples.map(({ zone }) => zone).join(", ")}`,
      "Use a Node build with full ICU, and unset NODE_ICU_DATA."
    )
}

// The samples cover both sides of a DST change, a zone with a 45-minute offset, and a zone that skipped a date.
const samples = [
  { zone: "America/Denver", at: "2026-07-01T12:00:00Z", minutes: -360 },
  { zone: "America/Denver", at: "2026-12-01T12:00:00Z", minutes: -420 },
  { zone: "Asia/Kathmandu", at: "2026-07-01T12:00:00Z", minutes: 345 },
  { zone: "Pacific/Apia", at: "2012-07-01T12:00:00Z", minutes: 780 }
]

/**
 * Checks that the clock is not behind this release or `latest` (the newest event in the database), and is at most 50
 * years ahead of the release.
 */
export const checkSystemClock = (now: number, latest: number | undefined): Finding => {
  const time = new Date(now).toISOString()
  const fix = "Set the clock, and synchronize it with NTP (timedatectl set-ntp true)."
  if (now < releasedAt || now > releasedAt + 50 * 365.25 * 86_400_000) {
    return makeFailedFinding(
      "clock",
      `the clock shows ${time}, which is before this release or more than 50 years after it`,
      fix
    )
  }
  return latest !== undefined && latest > now + toleratedMs
    ? makeFailedFinding(
      "clock",
      `the clock shows ${time}, which is earlier than the newest event in the database (${
        new Date(latest).toISOString()
      })`,
      fix
    )
    : makePassedFinding("clock", time)
}

const releasedAt = Date.UTC(2026, 10, 1)
const toleratedMs = 60_000

/** Checks the SQLite driver, the only dependency with a native binary. */
export const checkDriver = async (): Promise<Finding> => {
  const { driverVersion } = await import("@trailbook/sqlite/driver")
  return Effect.runPromise(Effect.match(driverVersion, {
    onFailure: ({ fix, message }) => makeFailedFinding("driver", message, fix),
    onSuccess: (version) => makePassedFinding("driver", `SQLite ${version}`)
  }))
}

/**
 * Checks that a server can listen on the port. The check also passes if a Trailbook server is already using the port.
 */
export const checkPort = async (host: string, port: number): Promise<Finding> => {
  const error = await tryPort(host, port)
  const place = `${host}:${port}`
  if (error === undefined) return makePassedFinding("port", `${place} is free`)
  switch (error.code) {
    case "EADDRINUSE":
      return await isTrailbookServer(getListenUrl({ host, port }))
        ? makePassedFinding("port", `a Trailbook server is running on ${place}`)
        : makeFailedFinding(
          "port",
          `${place} is in use`,
          "Stop the program that is using the port, or choose another port with --port or PORT."
        )
    case "EACCES":
      return makeFailedFinding(
        "port",
        `no permission to listen on ${place}`,
        "Choose a port above 1023 with --port or PORT."
      )
    default:
      return makeFailedFinding("port", `cannot listen on ${place}: ${error.message}`, "Check --host and --port.")
  }
}

const tryPort = (host: string, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
