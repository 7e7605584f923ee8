/** The ports that every storage or host implements, and the events and traces that they carry. */
export * as Event from "./Event.ts"
export * from "./EventLog.ts"
export { type ExecutedRequest, type RequestKey, RequestKeys } from "./idempotency.ts"
export { Ids } from "./Ids.ts"
export * from "./PublicUrl.ts"
export * from "./Secrets.ts"
export * from "./telemetry.ts"
export {
  classifyUnavailability,
  currentReplicaRead,
  type EnclosingTransaction,
  type ReplicaRead,
  TenantScope,
  TransactionContext,
  UnitOfWork
} from "./UnitOfWork.ts"
