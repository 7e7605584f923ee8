import { listenUrl } from "@trailbook/server/listenUrl"
import { type RunningServer, runServer } from "@trailbook/server/runServer"
import { runUntilSignal } from "@trailbook/server/runUntilSignal"
import { readSettings } from "@trailbook/server/setting/read"
import type { CommandSettings } from "@trailbook/server/setting/settings"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { demoForecast } from "./DemoForecast.ts"
import { type Demo, prepare } from "./prepare.ts"
import { deleteDemo } from "./resetDemo.ts"
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
  const demo = await prepare(folder, {
    seed,
    outbox,
    mailFrom: settings.mailFrom,
    // With `--port 0`, the port is not known yet when the demo generates its emails, so their links do not work.
    publicUrl: settings.publicUrl ?? listenUrl(settings),
    files: settings
  })
  // Use the `serve` defaults and ignore the environment, because demo data must not reach mail servers or external
  // services.
  const { values: onlyWritten } = readSettings("serve", new Map(), {})
  const { openAt, payments, routes: ownRoutes } = TestPaymentProvider.make(join(folder, testPaymentFileName))
  const options = {
    ...onlyWritten,
    ...settings,
    outbox,
    database: demo.database,
    payments,
    ownRoutes,
    weather: demoForecast,
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
