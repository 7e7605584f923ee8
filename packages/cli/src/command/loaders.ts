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
  "org create": () => import("./orgCreate.ts"),
  "org list": () => import("./orgList.ts"),
  "staff add": () => import("./staffAdd.ts"),
  "staff list": () => import("./staffList.ts"),
  "staff remove": () => import("./staffRemove.ts"),
  "keys create": () => import("./keysCreate.ts"),
  "keys list": () => import("./keysList.ts"),
  "keys revoke": () => import("./keysRevoke.ts"),
  "webhooks list": () => import("./webhooksList.ts"),
  "webhooks tail": () => import("./webhooksTail.ts"),
  "webhooks test": () => import("./webhooksTest.ts"),
  "webhooks replay": () => import("./webhooksReplay.ts"),
  "payments connect": () => import("./paymentsConnect.ts"),
  "payments disconnect": () => import("./paymentsDisconnect.ts"),
  "payments status": () => import("./paymentsStatus.ts"),
  "payments reconcile": () => import("./paymentsReconcile.ts"),
  "tasks list": () => import("./tasksList.ts"),
  "tasks retry": () => import("./tasksRetry.ts"),
  "agent preview": () => import("./agentPreview.ts"),
  "secrets generate": () => import("./secretsGenerate.ts"),
  doctor: () => import("./doctor.ts"),
  help: () => import("./help.ts")
}
