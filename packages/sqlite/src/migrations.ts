import type { Migration } from "@trailbook/sql/migrate"
import { create } from "./migrations/0001_create.ts"
import { statistics } from "./migrations/0002_statistics.ts"
import { webhooks } from "./migrations/0003_webhooks.ts"
import { subscriptions } from "./migrations/0004_subscriptions.ts"
import { judged } from "./migrations/0005_judged.ts"
import { growth } from "./migrations/0006_growth.ts"
import { parts } from "./migrations/0007_parts.ts"
import { held } from "./migrations/0008_held.ts"
import { tasks } from "./migrations/0009_tasks.ts"
import { conversations } from "./migrations/0010_conversations.ts"
import { files } from "./migrations/0011_files.ts"
import { staff } from "./migrations/0012_staff.ts"
import { payments } from "./migrations/0013_payments.ts"
import { agent } from "./migrations/0014_agent.ts"
import { drafts } from "./migrations/0015_drafts.ts"
import { questions } from "./migrations/0016_questions.ts"
import { proposalStates } from "./migrations/0017_proposal_states.ts"
import { guests } from "./migrations/0018_guests.ts"
import { people } from "./migrations/0019_people.ts"
import { applications } from "./migrations/0020_applications.ts"
import { touched } from "./migrations/0021_touched.ts"
import { passkeys } from "./migrations/0022_passkeys.ts"
import { commonWords } from "./migrations/0023_common_words.ts"
import { messageNotices } from "./migrations/0024_message_notices.ts"
import { unproven } from "./migrations/0025_unproven.ts"
import { refusals } from "./migrations/0026_refusals.ts"
import { auditActors } from "./migrations/0027_audit_actors.ts"
import { units } from "./migrations/0028_units.ts"

/**
 * Every change of the schema, in order.
 *
 * @category migrations
 */
export const migrations: ReadonlyArray<Migration> = [
  { name: "create", statements: create },
  { name: "statistics", statements: statistics },
  { name: "webhooks", statements: webhooks },
  { name: "subscriptions", statements: subscriptions },
  { name: "judged", statements: judged },
  { name: "growth", statements: growth },
  { name: "parts", statements: parts },
  { name: "held", statements: held },
  { name: "tasks", statements: tasks },
  { name: "conversations", statements: conversations },
  { name: "files", statements: files },
  { name: "staff", statements: staff },
  { name: "payments", statements: payments },
  { name: "agent", statements: agent },
  { name: "drafts", statements: drafts },
  { name: "questions", statements: questions },
  { name: "proposal_states", statements: proposalStates },
  { name: "guests", statements: guests },
  { name: "people", statements: people },
  { name: "applications", statements: applications },
  { name: "touched", statements: touched },
  { name: "passkeys", statements: passkeys },
  { name: "common_words", statements: commonWords },
  { name: "message_notices", statements: messageNotices },
  { name: "unproven", statements: unproven },
  { name: "refusals", statements: refusals },
  { name: "audit_actors", statements: auditActors },
  { name: "units", statements: units }
]
