/** Staff: members, roles, sign-in, passkeys, API keys, the audit log, and notifications. */
export * from "./ApiKeyManagement.ts"
export * from "./ApiKeyNetworks.ts"
export * from "./AuditLog.ts"
export { NotificationFailed, Notifier, type StaffNotification } from "./Notifier.ts"
export * from "./passkey/Passkey.ts"
export * from "./passkey/Passkeys.ts"
export * from "./sign-in/SignInRequests.ts"
export * from "./sign-in/StaffSession.ts"
export * from "./sign-in/StaffSessions.ts"
export {
  maxStaffMembers,
  roleScopes,
  type StaffMember,
  StaffMemberView,
  staffMemberView,
  type StaffRole,
  staffRoles,
  StaffStore
} from "./StaffMember.ts"
export * from "./StaffMembers.ts"
export * from "./staffOperations.ts"
