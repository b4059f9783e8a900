/**
 * Bodies whose parts are events of their own: they are handed out again with the bounds they came in. Downloads
 * (`application/octet-stream`) are not among them: where those were cut is an accident of the network.
 */
export function isStreamedType(contentType: string | null): boolean {
  return contentType !== null && STREAMED.test(contentType)
}

/**
 * Server-sent events; JSON lines under all their names (https://jsonlines.org, RFC 7464); Amazon's event stream (Bedrock);
 * Connect and gRPC-Web; pictures of a camera.
 */
const STREAMED =
  /^\s*(text\/event-stream|application\/((x-)?(ndjson|jsonl|jsonlines|json-lines)|json-seq|stream\+json|vnd\.amazon\.eventstream|connect\+(json|proto)|grpc-web.*)|multipart\/x-mixed-replace)\s*(;|$)/i
