import { SqlClient } from "@effect/sql/SqlClient"
import { ApiKeys } from "@trailbook/core/actor"
import { Orgs } from "@trailbook/core/org"
import { StaffMembers, StaffSessions } from "@trailbook/core/staff"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import { accountsLayer } from "@trailbook/runtime/accountsLayer"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { storageLayer } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { filesLayer, type FilesSettings } from "@trailbook/server/filesLayer"
import { getListenUrl } from "@trailbook/server/listenAddress"
import { runProgram } from "@trailbook/server/runProgram"
import { type RunningServer, runServer } from "@trailbook/server/runServer"
import { runUntilSignal } from "@trailbook/server/runUntilSignal"
import { readSettings } from "@trailbook/server/setting/readSettings"
import type { CommandSettings } from "@trailbook/server/setting/settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { type DemoFile, readDemoFile, writeDemoFile } from "./DemoFile.ts"
import * as DemoPayments from "./DemoPayments.ts"
import { demoWeatherLayer } from "./demoWeatherLayer.ts"
import { extendSeason, getLastStoryDate } from "./extendSeason.ts"
import { seedDemo } from "./seedDemo.ts"
import { runAutomationsOnce } from "./setUpAgent.ts"
import { testPaymentFileName } from "./testPayments/TestPaymentFile.ts"
import * as TestPaymentProvider from "./testPayments/TestPaymentProvider.ts"

/** The settings of `trailbook demo`. */
export interface DemoSettings extends Omit<CommandSettings<"demo">, "json"> {
  /** The demo's directory. */
  readonly folder: string
  /** Returns the command that starts the demo on another port. */
  readonly withPort: (port: number) => string
}

export interface PreparedDemo {
  readonly demo: Demo
  readonly outbox: string
  /** Serves the demo in this process until a signal stops the server. `signInUrl` signs the owner in once. */
  readonly serve: (onReady: (server: RunningServer, signInUrl: string) => void) => Promise<0>
}

/** Opens, extends, or creates the demo in a directory. With `fresh`, deletes an existing demo first. */
export const prepareDemo = async (
  { folder, fresh, logFormat, seed, withPort, ...settings }: DemoSettings
): Promise<PreparedDemo> => {
  const outbox = settings.outbox ?? join(folder, "outbox")
  if (fresh) await deleteDemo(folder)
  const demo = await openDemo(folder, {
    seed,
    outbox,
    mailFrom: settings.mailFrom,
    // With `--port 0`, the port is not known yet when the demo generates its emails, so their links do not work.
    publicUrl: settings.publicUrl ?? getListenUrl(settings),
    files: settings
  })
  // Use the `serve` defaults and ignore the environment, because demo data must not reach mail servers or external
  // services.
  const { values: defaults } = readSettings("serve", new Map(), {})
  const { openAt, payments, routes: ownRoutes } = TestPaymentProvider.make(join(folder, testPaymentFileName))
  const options = {
    ...defaults,
    ...settings,
    outbox,
    database: demo.database,
    payments,
    ownRoutes,
    weather: demoWeatherLayer,
    withPort
  }
  return {
    demo,
    outbox,
    serve: (onReady) =>
      runUntilSignal(
        (log) =>
          Effect.tap(
            runServer({ ...options, log }),
            ({ origin }) => Effect.sync(() => openAt(settings.publicUrl ?? origin))
          ),
        // The link must use this origin, because the sign-in cookie is not valid for any other origin.
        (server) => onReady(server, `${settings.publicUrl ?? server.origin}/sign-in/${demo.signIn}`),
        logFormat
      )
  }
}

/** A prepared demo. */
export interface Demo extends DemoFile {
  readonly database: DatabaseUrl
  /** The slug of the booking page `/book/{slug}`. */
  readonly slug: string
  /** The secret in a single-use sign-in link for the owner, valid for 24 hours. */
  readonly signIn: string
  /** Whether the demo already existed. */
  readonly isExisting: boolean
}

interface DemoOptions {
  readonly seed: number
  /** The directory that contains the seeded emails. */
  readonly outbox: string
  readonly mailFrom: string
  readonly publicUrl: string
  /** The server's file settings. */
  readonly files: Omit<FilesSettings, "database">
}

/**
 * Opens and extends the demo in a directory. If the directory contains no demo, creates one after deleting the remains
 * of any interrupted attempt.
 *
 * @throws OperatorError if the directory is not writable
 */
const openDemo = async (folder: string, options: DemoOptions): Promise<Demo> => {
  const databaseFile = join(folder, "demo.sqlite")
  const database: DatabaseUrl = { _tag: "Sqlite", file: databaseFile }
  const demoFilePath = join(folder, "demo.json")
  const demoFile = readDemoFile(demoFilePath)
  if (demoFile !== undefined && existsSync(databaseFile)) {
    const { slug, told_until } = await runProgram(extendDemo(database, demoFile))
    const demo = { ...demoFile, told_until }
    if (told_until !== demoFile.told_until) withWriteErrors(folder, () => writeDemoFile(demoFilePath, demo))
    return { ...demo, slug, signIn: await createSignIn(database, demoFile), database, isExisting: true }
  }

  withWriteErrors(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    deleteDatabaseFiles(databaseFile)
    rmSync(join(folder, testPaymentFileName), { force: true })
  })
  const { demo, slug } = await runProgram(createDemo(database, options))
  withWriteErrors(folder, () => writeDemoFile(demoFilePath, demo))
  return { ...demo, slug, signIn: await createSignIn(database, demo), database, isExisting: false }
}

/** Creates a sign-in link for the owner, because the demo sends no email that could contain it. */
const createSignIn = (database: DatabaseUrl, { org_id: orgId }: DemoFile): Promise<string> =>
  runProgram(
    Effect.gen(function*() {
      const staff = yield* StaffMembers
      const owner = (yield* staff.list(orgId)).find(({ role }) => role === "owner")
      const { id: staffId } = owner ??
        (yield* Effect.orDie(
          staff.add({ orgId, email: demoOwner, role: "owner", notify: false, by: { _tag: "Operator" } })
        ))
      return yield* (yield* StaffSessions).link({ orgId, staffId, minutes: 24 * 60 })
    }).pipe(Effect.provide(accountsLayer(database)))
  )

/** Email to this address goes to the outbox, like all of the demo's email. */
const demoOwner = "owner@salida.example"

const extendDemo = (database: DatabaseUrl, demoFile: DemoFile) =>
  Effect.all({
    told_until: extendSeason(demoFile),
    slug: Effect.map(Effect.orDie(Effect.flatMap(Orgs, ({ get }) => get(demoFile.org_id))), ({ slug }) => slug)
  }).pipe(
    Effect.provide(
      Layer.provide(engineLayer(NodeIds.layer, "none", { payments: DemoPayments.layer }), storageLayer(database))
    )
  )

const createDemo = (database: DatabaseUrl, { files, mailFrom, outbox, publicUrl, seed: seedNumber }: DemoOptions) =>
  Effect.gen(function*() {
    const now = yield* currentTime
    const { reserve } = yield* SqlClient
    const pragma = (text: string) =>
      Effect.orDie(
        Effect.scoped(Effect.flatMap(reserve, (sql) => sql.executeUnprepared(`pragma ${text}`, [], undefined)))
      )
    // If the creation is interrupted, the next start creates the demo from scratch, so its several hundred commits do
    // not need to be durable.
    yield* pragma("synchronous = off")
    const { offerings, org } = yield* seedDemo({
      seed: seedNumber,
      now,
      publicUrl,
      files: filesLayer({ ...files, database })
    })
    yield* Effect.provide(
      runAutomationsOnce,
      engineLayer(NodeIds.layer, "none", { payments: DemoPayments.layer, publicUrl, ...demoWeatherLayer })
    )
    const { token } = yield* (yield* ApiKeys).create({ orgId: org.id, name: "Demo", mode: "test" })
    yield* pragma("synchronous = full")
    yield* pragma("wal_checkpoint(truncate)")
    const demo = {
      api_key: token,
      org_id: org.id,
      offering_id: offerings.brownsCanyon,
      offerings,
      seed: seedNumber,
      made_at: Instant.format(now),
      told_until: LocalDate.format(getLastStoryDate(now))
    } satisfies DemoFile
    return { demo, slug: org.slug }
  }).pipe(
    Effect.provide(
      Layer.merge(ApiKeys.layer, OutboxFolder.layer({ directory: outbox, from: mailFrom })).pipe(
        Layer.provideMerge(storageLayer(database)),
        Layer.provide(NodeIds.layer)
      )
    )
  )

/**
 * Deletes the demo in a directory: its database, keys, state, test payments, files, and emails. Keeps other files. Does
 * nothing if the directory contains no demo.
 *
 * @throws OperatorError if a file cannot be deleted
 */
const deleteDemo = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return
  const { isDatabaseInUse: isInUse } = await import("@trailbook/sqlite/isDatabaseInUse")
  if (await Effect.runPromise(isInUse(join(folder, "demo.sqlite")))) {
    throw new OperatorError(
      `A demo is already running in ${folder}.`,
      "Stop it first (Ctrl-C in its terminal), or omit --fresh."
    )
  }
  withWriteErrors(folder, () => {
    rmSync(join(folder, "demo.json"), { force: true })
    rmSync(join(folder, testPaymentFileName), { force: true })
    deleteDatabaseFiles(join(folder, "demo.sqlite"))
    rmSync(join(folder, "files"), { recursive: true, force: true })
    const outbox = join(folder, "outbox")
    const mails = existsSync(outbox) ? readdirSync(outbox).filter((name) => mailFilePattern.test(name)) : []
    for (const name of mails) rmSync(join(outbox, name), { force: true })
  })
}

/** Deletes a demo database and the related SQLite and server files. */
const deleteDatabaseFiles = (file: string): void => {
  for (const suffix of ["", "-wal", "-shm", ".keys"]) rmSync(file + suffix, { force: true })
}

/** Matches the file names in the outbox. */
const mailFilePattern = /^\d{4}[\dTZ.-]+-[a-z0-9-]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.eml$/

/**
 * Runs file operations in a directory and turns system errors into a readable `OperatorError`.
 *
 * @throws OperatorError
 */
const withWriteErrors = <A>(folder: string, act: () => A): A => {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error
    throw new OperatorError(
      `The demo cannot write to the folder ${resolve(folder)}: ${writeErrorReasons[error.code] ?? error.message}.`,
      "Start the demo in a writable folder with about 10 MB of free space."
    )
  }
}

const writeErrorReasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file with this name already exists",
  EEXIST: "a file with this name already exists"
}
