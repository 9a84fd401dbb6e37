/** Is telemetry asked for? Off unless the person says so: an endpoint may be set for other programs. */
export function wantsTelemetry(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['1', 'true'].includes(env['ENSO_TELEMETRY']?.toLowerCase() ?? '') && env['OTEL_SDK_DISABLED'] !== 'true'
}
