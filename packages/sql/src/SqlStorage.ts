import type { Storage } from "@trailbook/core/storage"
import * as Layer from "effect/Layer"
import type { Database } from "./Database.ts"
import * as accountStores from "./store/accountStores.ts"
import * as agentStores from "./store/agentStores.ts"
import * as SqlBookingStore from "./store/booking/SqlBookingStore.ts"
import * as conversationStores from "./store/conversationStores.ts"
import * as eventStores from "./store/eventStores.ts"
import * as offeringStores from "./store/offeringStores.ts"
import * as paymentStores from "./store/paymentStores.ts"
import * as reportStore from "./store/reportStore.ts"
import * as SqlCustomerStore from "./store/SqlCustomerStore.ts"
import * as webhookStores from "./store/webhookStores.ts"
import * as workStores from "./store/workStores.ts"

/** Implements all storage ports on one database. */
export const layer: Layer.Layer<Storage, never, Database> = Layer.mergeAll(
  accountStores.layer,
  offeringStores.layer,
  SqlCustomerStore.layer,
  SqlBookingStore.layer,
  paymentStores.layer,
  reportStore.layer,
  conversationStores.layer,
  eventStores.layer,
  webhookStores.layer,
  agentStores.layer,
  workStores.layer
)
