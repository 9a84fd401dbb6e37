// The core's one door: every shape and rule by name. Code elsewhere imports from here, so that one search answers
// whether a shape exists already.
export { ASK_USER_TOOL_NAME, AskUserToolParameters } from './ask-user.js'
export { type ClosedFileReading, readClosedFile } from './closed-file.js'
export { closestWord } from './closest-word.js'
export {
  ENSO_CONFIG_EXAMPLE,
  ENSO_CONFIG_FILENAME,
  EnsoConfig,
  type EnsoConfigParseResult,
  parseEnsoConfig,
} from './config.js'
export {
  EnsoDialogAnswer,
  EnsoDialogBody,
  EnsoDialogLink,
  EnsoDialogSpec,
  EnsoOpenDialog,
  EnsoQuestion,
  EnsoQuestionAnswer,
  EnsoQuestionAnswers,
  type EnsoQuestionnaireResult,
  isEnsoDialogSpec,
  QUESTIONNAIRE_COMPONENT_KEY,
  type QuestionnaireRepeat,
  questionnaireRepeat,
  validateDialogAnswer,
} from './dialog.js'
export { ENSO_ERROR_OUTCOMES, EnsoError, type EnsoErrorCode } from './enso-error.js'
export { createEventTail, EVENT_TAIL_MAX, type EventTail } from './event-tail.js'
export { EnsoFollowFrame, EnsoFollowSnapshot, EnsoFollowObservation, EnsoFollowStatus } from './follow.js'
export { EnsoPromptBody, EnsoPromptImage, EnsoPromptReceipt, EnsoAbortReceipt } from './follow.js'
export { ENSO_IMAGE_MAX_BYTES, ENSO_PROMPT_BODY_MAX_BYTES, ENSO_PROMPT_MAX_IMAGES } from './follow.js'
export { ENSO_IMAGE_MIME_TYPES, EnsoImageMimeType, isEnsoImageMimeType } from './follow.js'
export { base64DecodedBytes, isWholeBase64 } from './follow.js'
export {
  DEFAULT_GUARD_POLICY,
  ENSO_GUARD_DENIAL_ENTRY,
  ENSO_GUARD_DENIAL_KEY,
  ENSO_GUARD_RULES,
  ENSO_PERSISTENCE_WRITE_DIRECTORIES,
  EnsoGuardDenial,
  type EnsoGuardRule,
  GuardPolicy,
  isEnsoGuardRule,
  PERSISTENCE_WRITE_BASENAMES,
  PERSISTENCE_WRITE_DIRECTORIES,
  readEnsoGuardDenial,
  readEnsoGuardDenialMetadata,
  SECRET_BASENAME_PATTERNS,
  SECRET_TEMPLATE_SUFFIXES,
} from './guard.js'
export type { GuardCheck, GuardQuestion, GuardVerdict } from './guard-check.js'
export type {
  AgentHost,
  CredentialHost,
  DialogContext,
  DialogEnd,
  DialogEndedBy,
  DialogPolicy,
  HostCredentials,
  HostedThread,
  LimitHit,
  ListedModel,
  LoginInteraction,
  OpenThreadRequest,
  RunLimits,
  SessionSource,
  StoredThreadReading,
  StoredThreadRecords,
  StoredThreadRef,
  StoredThreadSummary,
  StoredThreadTold,
  StructuredAnswer,
  ThreadOutlook,
  ThreadStore,
} from './hosted-thread.js'
export { interruptedTailOf } from './interrupted.js'
export { EnsoLocalServer, EnsoLocalServerKind, localChoices, localModelName, localServersHint } from './local-server.js'
export type { FoundLocalServer } from './local-server.js'
export { type JsonFault, jsonFaultText, type JsonReading, readJson } from './json-fault.js'
export {
  ENSO_ARGV_REQUEST_ID,
  ENSO_PROTOCOL,
  EnsoDialogCounts,
  EnsoDryRun,
  EnsoHelloLine,
  EnsoLimitHit,
  EnsoOutputLine,
  EnsoReplyLine,
  EnsoRequestLine,
  EnsoResultLine,
  EnsoRunSummary,
  EnsoRunUsage,
} from './json-lines.js'
export { jsonLine } from './jsonl.js'
export {
  ENSO_LOG_ROOT,
  ENSO_REDACT_FIELDS,
  ENSO_REDACTED,
  ENSO_REDACTED_VALUE,
  EnsoBrowserLogBatch,
  type EnsoLogger,
  type EnsoLogLayer,
  EnsoLogLine,
  type EnsoLogPayload,
  type EnsoLogProperties,
  ensoLogger,
  ensoLogLineOf,
  withEnsoLogContext,
} from './log.js'
export {
  browserSection,
  buildLogBundle,
  bundleRecordsText,
  type EnsoBundleAbout,
  type EnsoBundleInputs,
  isLogBundle,
  redactionManifest,
} from './log-bundle.js'
export {
  createDayFold,
  type DayFold,
  dayStats,
  ENSO_LOG_EVENTS,
  EnsoDayStats,
  EnsoDurationSummary,
  foldDay,
  type FoldedDay,
  mergeDurationSummaries,
} from './log-stats.js'
export {
  ENSO_LOG_LEVEL_NAMES,
  ENSO_LOG_LEVEL_RANK,
  type EnsoLogFilter,
  type EnsoLogLevelName,
  EnsoLogTailFrame,
  LOG_TAIL_MAX_RECORDS,
  logLineMatches,
  logLineMessageParts,
  logLineText,
  parseLogSince,
} from './log-tail.js'
export {
  ENSO_PERMISSION_MODE_ENTRY,
  ENSO_PERMISSION_MODES,
  ENSO_SESSION_ALLOW_ENTRY,
  type EnsoPermissionModeName,
  isEnsoPermissionModeName,
} from './mode-names.js'
export { EnsoTextDelta, EnsoThinkingDelta, EnsoMessageStart, EnsoMessageEnd, EnsoUsage } from './observation.js'
export { EnsoToolCall, EnsoToolResultObservation, EnsoTurnStart, EnsoTurnEnd } from './observation.js'
export { EnsoSessionUsageObservation, EnsoModelObservation } from './observation.js'
export { EnsoProviderRefused, EnsoProviderRetrying, EnsoProviderRetryEnded } from './observation.js'
export { EnsoPromptRejected, EnsoQueue, EnsoRunEnded, EnsoSettled } from './observation.js'
export { EnsoPermissionMode, EnsoPermissionModeRejected } from './observation.js'
export { EnsoDialogOutcome, EnsoDialogSettled, EnsoExtensionUiRequest } from './observation.js'
export { EnsoNotifyType, EnsoUiRequestOrigin } from './observation.js'
export { EnsoCustomEntry, EnsoExtensionError, EnsoUnmapped, EnsoObservation } from './observation.js'
export type { ObservedEvent } from './observed-event.js'
export { decideOutcome, limitReason, type RunDecision, type RunFacts } from './outcome.js'
export { type AbortCause, ENSO_ABORT_EXIT_CODES, ENSO_EXIT_CODES, EnsoOutcome } from './exit-codes.js'
export { ENSO_PERMISSION_DENIAL_ENTRY, ENSO_PERMISSION_DENIAL_KEY, EnsoPermissionDenial } from './permission-denial.js'
export { readEnsoPermissionDenial } from './permission-denial.js'
export { EnsoPermissionModeChange, EnsoPermissionModeState } from './permission-mode.js'
export { ENSO_PROJECT_HEADER, isEnsoProjectId } from './project.js'
export { EnsoProject, EnsoProjectRegistration, EnsoProjectsConfig, EnsoProjectsState } from './project.js'
export { EnsoDirectoryEntry, EnsoDirectoryListing } from './project.js'
export {
  ENSO_PROVIDER_REFUSAL_KEY,
  ENSO_PROVIDER_RETRY_KEY,
  EnsoProviderRefusal,
  EnsoProviderRetry,
  EnsoProviderRetryEnd,
  PROVIDER_POLICY_STOP_REASONS,
  type ProviderRefusalClass,
  providerReasonOf,
  providerRefusalClass,
  providerStatusOf,
  readEnsoProviderRefusal,
} from './provider-refusal.js'
export { ENSO_REFUSAL_CODES, EnsoRefusal, type EnsoRefusalCode, refusal } from './refusal.js'
export { closed, type LazyValidator, lazyValidator } from './schema.js'
export {
  EnsoScript,
  EnsoScriptChoice,
  EnsoScriptExpectation,
  EnsoScriptPart,
  EnsoScriptStep,
  EnsoScriptText,
  EnsoScriptToolCall,
  EnsoScriptTurn,
  isScriptChoice,
  type ParsedScript,
  parseScript,
  scriptParts,
} from './script.js'
export { shapeReason } from './shape-reason.js'
export { estimateRecord, estimateTool, makeupTotal, tokensOfChars } from './context-estimate.js'
export { type ContextInput, foldContextRequest, foldThreadContext } from './context-fold.js'
export {
  ENSO_CONTEXT_SYSTEM_ENTRY,
  ENSO_CONTEXT_TOOLS_ENTRY,
  EnsoContextSystemRecord,
  EnsoContextToolsRecord,
} from './context-records.js'
export { firstWords } from './first-words.js'
export { createSpendingFold, EnsoSpendingStats, type StoredSpending } from './spending-stats.js'
export { foldThreadStats, type StatsInput } from './stats-fold.js'
export { ENSO_CONTEXT_ADDITIONS_SHOWN, ENSO_CONTEXT_COMMAND } from './thread-context.js'
export { ENSO_CONTEXT_IMAGE_PREVIEW_BYTES } from './thread-context.js'
export { EnsoContextCategory, EnsoContextMakeup, EnsoContextAddition } from './thread-context.js'
export {
  EnsoContextRequest,
  EnsoContextRequestChoice,
  EnsoContextRequestDetail,
  EnsoThreadContext,
} from './thread-context.js'
export { EnsoContextElement, EnsoContextBody, EnsoContextImage } from './thread-context.js'
export { EnsoContextEvent, EnsoContextEventKind, EnsoFileOperation } from './thread-context.js'
export {
  describeThreadEvent,
  EnsoEventProvenance,
  EnsoInterruptedTail,
  EnsoStoredThread,
  EnsoThreadEvent,
  EnsoThreadEvents,
  EnsoThreadHistory,
  EnsoThreadInspection,
  EnsoThreadSummary,
  isEnsoThreadId,
  type ThreadEventColumns,
  threadEventColumns,
} from './thread-inspection.js'
export type { ThreadLogAccount, ThreadLogLines, ThreadLogReader } from './thread-log.js'
export type { RecordImage, ReplyRecord, ThreadRecord, ThreadRecords } from './thread-record.js'
export {
  type DialogAnswer,
  EnsoConfigurationRefusal,
  EnsoContextUsage,
  EnsoHostCommandRun,
  EnsoModelChoice,
  EnsoModelState,
  EnsoPromptAdmission,
  EnsoSessionConfiguration,
  EnsoSessionUsage,
  EnsoThreadCommands,
  HostCommandOption,
  type HostFlowOutcome,
  isRuntimeCommand,
  PromptImageContent,
  type PromptOutcome,
  type PromptRequest,
  RuntimeCommand,
  ThreadRuntime,
} from './thread-runtime.js'
export { EnsoPromptStats, EnsoThreadStats, EnsoToolCallStats, EnsoTurnStats } from './thread-stats.js'
export { EnsoThreadTimeline, type EnsoTimelineEntry, threadTimeline, timelineJoinKeys } from './thread-timeline.js'
export { summarizeToolInput } from './tool-input.js'
export {
  ENSO_TOOL_RESULT_KEY,
  EnsoToolResultDescriptor,
  EnsoTruncation,
  EnsoTruncationUnit,
  isEnsoToolResultDescriptor,
  readEnsoToolResultDescriptor,
} from './tool-result.js'
export {
  describeTranscriptEntry,
  EnsoTranscriptCustom,
  EnsoTranscriptEntry,
  EnsoTranscriptMessage,
  EnsoTranscriptOther,
  EnsoTranscriptPart,
  EnsoTranscriptToolResult,
} from './transcript.js'
export { transcriptToUiMessages } from './transcript-to-ui-messages.js'
export { EnsoUiMessage, EnsoUiPart } from './ui-message.js'
export {
  EnsoPermissionRules,
  EnsoUserConfig,
  type EnsoUserConfigParseResult,
  EnsoUserGuard,
  parseEnsoUserConfig,
} from './user-config.js'
export {
  EXTERNAL_WEB_CONTENT_NOTICE,
  WEB_FETCH_MAX_RESPONSE_BYTES,
  WEB_FETCH_MAX_URL_LENGTH,
  WEB_FETCH_TIMEOUT_MS,
  WEB_FETCH_TOOL_NAME,
  WebFetchConfig,
  WebFetchToolParameters,
} from './web-fetch.js'
export { WEB_SEARCH_TIMEOUT_MS, WEB_SEARCH_TOOL_NAME, WebSearchConfig, WebSearchToolParameters } from './web-search.js'
