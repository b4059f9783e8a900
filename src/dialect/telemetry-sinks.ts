/**
 * Where agents and their libraries send traces, metrics, logs, errors and usage, as data. Such requests are not calls: they
 * are answered at once in a replay and never sent. Only sending counts: prompts, data sets and feature flags that are read
 * from the same services decide what an agent does, and stay calls.
 */

const DATADOG_API = /^\/api\/v[12]\/(series|distribution_points|check_run)$/

export interface SinkHost {
  /** The host, or a domain that it is below. */
  readonly domain: string
  /** What is sent to these paths; null: the host takes nothing else. */
  readonly path: RegExp | null
  /** What clients ask there before they send. */
  readonly asked?: RegExp
}

export const SINK_HOSTS: readonly SinkHost[] = [
  // https://docs.langchain.com/langsmith: runs are sent one by one or in batches; `info` says how large those may be.
  {
    domain: 'smith.langchain.com',
    path: /\/(runs|feedback)(\/(batch|multipart|[0-9a-f]{8}-[0-9a-f-]+))?$|\/otel\//,
    asked: /\/info$/,
  },
  // https://docs.sentry.io/concepts/key-terms/dsn-explainer
  { domain: 'ingest.sentry.io', path: null },
  { domain: 'ingest.us.sentry.io', path: null },
  { domain: 'ingest.de.sentry.io', path: null },
  // https://posthog.com/docs/api/capture; `flags` and `decide` are answers that an agent acts on.
  { domain: 'posthog.com', path: /^\/(batch|capture|e|i\/v0\/e|i\/v0\/ai|engage|track|s)\/?$/ },
  // https://segment.com/docs/connections/sources/catalog/libraries/server/http-api
  { domain: 'api.segment.io', path: null },
  { domain: 'events.eu1.segmentapis.com', path: null },
  // https://docs.datadoghq.com/api/latest/metrics; its other intakes have hosts of their own, see below.
  { domain: 'api.datadoghq.com', path: DATADOG_API },
  { domain: 'api.datadoghq.eu', path: DATADOG_API },
  // https://docs.helicone.ai/getting-started/integration-method/manual-logger-curl; its other hosts are gateways.
  { domain: 'helicone.ai', path: /\/v1\/log(\/|$)|\/v1\/trace\// },
  { domain: 'hconeai.com', path: /\/v1\/log(\/|$)|\/v1\/trace\// },
  // https://www.braintrust.dev/docs/reference/api: logs3 takes spans.
  { domain: 'api.braintrust.dev', path: /\/logs3(\/|$)|\/otel\// },
  // https://weave-docs.wandb.ai/reference/service-api
  { domain: 'trace.wandb.ai', path: /\/call\/(start|end|upsert_batch)$|\/otel\// },
  // https://docs.agentops.ai, https://www.traceloop.com/docs, https://logfire.pydantic.dev/docs: what is not OTLP.
  { domain: 'api.agentops.ai', path: null },
  { domain: 'api.traceloop.com', path: /^\/v1\/(traces|metrics|logs)/ },
  { domain: 'logfire-api.pydantic.dev', path: null },
  // https://docs.langwatch.ai/integration/rest-api
  { domain: 'app.langwatch.ai', path: /^\/api\/(collector|otel)/ },
  // https://developers.google.com/analytics/devguides/collection/protocol/ga4
  { domain: 'google-analytics.com', path: /\/collect$/ },
  // https://www.docs.developers.amplitude.com/analytics/apis/http-v2-api
  { domain: 'api2.amplitude.com', path: null },
  { domain: 'api.eu.amplitude.com', path: null },
  // https://developer.mixpanel.com/reference/ingestion-api
  { domain: 'api.mixpanel.com', path: /^\/(track|engage|import|groups)\b/ },
  { domain: 'api-js.mixpanel.com', path: null },
  // https://docs.honeycomb.io/api
  { domain: 'api.honeycomb.io', path: /^\/1\/(events|batch)\// },
  // https://docs.newrelic.com/docs/new-relic-solutions/get-started/networks
  { domain: 'trace-api.newrelic.com', path: null },
  { domain: 'log-api.newrelic.com', path: null },
  { domain: 'metric-api.newrelic.com', path: null },
  { domain: 'collector.newrelic.com', path: null },
  { domain: 'insights-collector.newrelic.com', path: null },
  // https://docs.bugsnag.com/api/error-reporting, https://docs.rollbar.com/reference/create-item
  { domain: 'notify.bugsnag.com', path: null },
  { domain: 'sessions.bugsnag.com', path: null },
  { domain: 'api.rollbar.com', path: /^\/api\/1\/item/ },
  // https://axiom.co/docs/restapi/endpoints/ingestIntoDataset, https://betterstack.com/docs/logs
  { domain: 'api.axiom.co', path: /\/ingest(\/|$)|^\/v1\/(traces|logs|metrics)$/ },
  { domain: 'logs.betterstack.com', path: null },
  // https://learn.microsoft.com/azure/azure-monitor/app/ip-addresses
  { domain: 'in.applicationinsights.azure.com', path: null },
  { domain: 'dc.services.visualstudio.com', path: null },
  // https://docs.statsig.com/http-api, https://docs.launchdarkly.com: events, not flags.
  { domain: 'events.statsigapi.net', path: null },
  { domain: 'events.launchdarkly.com', path: null },
  // https://nextjs.org/telemetry, https://vercel.com/docs/cli/about-telemetry
  { domain: 'telemetry.nextjs.org', path: null },
  { domain: 'telemetry.vercel.com', path: null },
]

/** Hosts with the site in the middle: https://docs.datadoghq.com/agent/configuration/network. */
export const SINK_HOST_NAMES =
  /(^|[.-])intake(-v2)?\..*\b(datadoghq|ddog-gov)\.|^trace\.agent\..*\bdatadoghq\./

/** Paths that say enough on any host, as these are installed on one's own. */
export const SINK_PATHS: readonly RegExp[] = [
  // @openai/agents-openai, openaiTracingExporter (https://openai.github.io/openai-agents-js/guides/tracing)
  /\/v1\/traces\/ingest$/,
  // LangSmith (https://docs.langchain.com/langsmith/self-hosted)
  /\/runs\/(batch|multipart)$/,
  // https://api.reference.langfuse.com
  /\/api\/public\/(ingestion|otel\/v1\/traces)$/,
  // Sentry, and GlitchTip (https://develop.sentry.dev/sdk/overview)
  /\/api\/\d+\/(envelope|store)\/?$/,
  // The Datadog agent (https://docs.datadoghq.com/tracing/guide/send_traces_to_agent_by_api)
  /^\/(v0\.[3-9]\/(traces|stats)|telemetry\/proxy\/.*|evp_proxy\/.*)$/,
  // https://www.elastic.co/docs/api/doc/observability-serverless, https://zipkin.io/zipkin-api, https://grafana.com/docs/loki
  /\/intake\/v2\/(rum\/)?events$/,
  /\/api\/v2\/spans$/,
  /\/loki\/api\/v1\/push$/,
]

/**
 * OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp), also below a prefix. Another API may have such a path, so a
 * JSON body must have the member that the protocol demands.
 */
export const OTLP_PATH = /\/v1\/(traces|metrics|logs)$/
export const OTLP_MEMBER = /"resource_?(spans|metrics|logs)"/i
