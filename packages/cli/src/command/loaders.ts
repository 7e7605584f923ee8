import type { CommandName } from "@trailbook/server/setting/Setting"
import type { Run } from "./Command.ts"

/** Loads each command on demand, so that `--help` does not load the server and the database drivers. */
export const loaders: { readonly [Name in CommandName]: () => Promise<{ readonly run: Run<Name> }> } = {
  demo: () => import("./demo.ts"),
  serve: () => import("./serve.ts"),
  worker: () => import("./worker.ts"),
  mcp: () => import("./mcp.ts"),
  migrate: () => import("./migrate.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./restore.ts"),
  "org create": () => import("./account/orgCreate.ts"),
  "org list": () => import("./account/orgList.ts"),
  "org update": () => import("./account/orgUpdate.ts"),
  "staff add": () => import("./account/staffAdd.ts"),
  "staff list": () => import("./account/staffList.ts"),
  "staff remove": () => import("./account/staffRemove.ts"),
  "keys create": () => import("./account/keysCreate.ts"),
  "keys list": () => import("./account/keysList.ts"),
  "keys revoke": () => import("./account/keysRevoke.ts"),
  "webhooks list": () => import("./operate/webhooksList.ts"),
  "webhooks tail": () => import("./operate/webhooksTail.ts"),
  "webhooks test": () => import("./operate/webhooksTest.ts"),
  "webhooks replay": () => import("./operate/webhooksReplay.ts"),
  "payments connect": () => import("./operate/paymentsConnect.ts"),
  "payments disconnect": () => import("./operate/paymentsDisconnect.ts"),
  "payments status": () => import("./operate/paymentsStatus.ts"),
  "payments reconcile": () => import("./operate/paymentsReconcile.ts"),
  "tasks list": () => import("./operate/tasksList.ts"),
  "tasks retry": () => import("./operate/tasksRetry.ts"),
  "agent preview": () => import("./operate/agentPreview.ts"),
  "secrets generate": () => import("./account/secretsGenerate.ts"),
  doctor: () => import("./doctor.ts"),
  help: () => import("./help.ts")
}
