export function isStreamedType(type: string): boolean {
  return type.startsWith('text/event-stream')
}
