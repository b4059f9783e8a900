/**
 * Keys and tokens that are known by their own shape, for the strong profile. Sources: the vendors' pages on their token
 * formats, the rules of gitleaks (config/gitleaks.toml) and the detectors of TruffleHog, as of 2026.
 *
 * Each takes time in proportion to the text: it begins with a fixed text at the beginning of a word, and what follows is a
 * fixed number of characters, or all that there are.
 */

/** [what it is, expression of a whole key] */
export const KEY_SHAPES: readonly (readonly [kind: string, shape: string])[] = [
  // Models
  ['key of a model provider', 'sk-[A-Za-z0-9_-]{8,}'],
  ['Groq key', 'gsk_[A-Za-z0-9]{20,}'],
  ['xAI key', 'xai-[A-Za-z0-9]{20,}'],
  ['Perplexity key', 'pplx-[A-Za-z0-9]{20,}'],
  ['Hugging Face token', '(?:hf_|api_org_)[A-Za-z0-9]{20,}'],
  ['Replicate token', 'r8_[A-Za-z0-9]{20,}'],
  ['NVIDIA key', 'nvapi-[A-Za-z0-9_-]{20,}'],
  ['Cerebras key', 'csk-[a-z0-9]{20,}'],
  ['Fireworks key', 'fw_[A-Za-z0-9]{20,}'],
  ['Jina key', 'jina_[A-Za-z0-9_-]{20,}'],
  ['Tavily key', 'tvly-[A-Za-z0-9_-]{16,}'],
  ['Firecrawl key', 'fc-[0-9a-f]{32}'],
  ['E2B key', 'e2b_[0-9a-f]{40}'],
  ['Pinecone key', 'pcsk_[A-Za-z0-9_]{20,}'],
  ['LangSmith key', 'ls(?:v2_(?:pt|sk)|__)_?[A-Za-z0-9_]{20,}'],
  ['PostHog key', 'ph[xs]_[A-Za-z0-9]{20,}'],
  // Clouds
  ['AWS access key id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['AWS Bedrock key', '(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{40,}'],
  ['Google API key', 'AIza[A-Za-z0-9_-]{30,}'],
  ['Google OAuth token', '(?:ya29\\.|1//0)[A-Za-z0-9._-]{20,}'],
  ['Google OAuth client secret', 'GOCSPX-[A-Za-z0-9_-]{20,}'],
  ['Azure client secret', '[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}'],
  ['Azure key', '[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])'],
  ['Azure DevOps token', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])'],
  ['DigitalOcean token', 'do[opr]_v1_[0-9a-f]{40,}'],
  ['Databricks token', 'dapi[0-9a-f]{32}(?:-\\d)?'],
  ['Heroku key', 'HRKU-[A-Za-z0-9_-]{20,}'],
  ['Fly.io token', 'fo1_[A-Za-z0-9_-]{20,}'],
  ['Vercel token', '(?:vc[pikra]_|vercel_blob_rw_)[A-Za-z0-9_]{20,}'],
  ['Supabase key', '(?:sbp_|sb_secret_)[A-Za-z0-9_-]{20,}'],
  ['PlanetScale token', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{20,}'],
  ['Vault token', 'hv[sbr]\\.[A-Za-z0-9_-]{20,}'],
  ['Terraform token', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}'],
  ['Doppler token', 'dp\\.(?:pt|st|sa|ct|scim|audit)\\.[A-Za-z0-9._-]{20,}'],
  ['Grafana token', 'gl(?:sa|c)_[A-Za-z0-9_=+/]{20,}'],
  ['New Relic key', 'NRAK-[A-Z0-9]{20,}'],
  ['Sentry token', 'sntry[su]_[A-Za-z0-9_=+/-]{20,}'],
  // Code
  ['GitHub token', '(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{8,}'],
  [
    'GitLab token',
    '(?:gl(?:pat|dt|rt|rtr|ptt|cbt|ft|soat|agent|imt|oas|ffct)-|GR1348941)[A-Za-z0-9_.-]{16,}',
  ],
  ['Atlassian token', 'AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{20,}'],
  ['npm token', 'npm_[A-Za-z0-9]{20,}'],
  ['PyPI token', 'pypi-[A-Za-z0-9_-]{40,}'],
  ['RubyGems key', 'rubygems_[0-9a-f]{40,}'],
  ['Docker token', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}'],
  ['Postman key', 'PMAK-[A-Za-z0-9-]{20,}'],
  ['age key', 'AGE-SECRET-KEY-1[A-Z0-9]{40,}'],
  // Messages and work
  ['Slack token', 'xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}'],
  ['Slack token', 'xapp-\\d-[A-Za-z0-9-]{10,}'],
  ['Slack webhook', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{16,}'],
  ['Discord webhook', 'discord(?:app)?\\.com/api/webhooks/\\d{10,}/[A-Za-z0-9_-]{20,}'],
  ['Discord token', '[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}'],
  ['Telegram token', '(?:bot)?\\d{8,10}:AA[A-Za-z0-9_-]{32,}'],
  ['Twilio key', 'SK[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['SendGrid key', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'],
  ['Mailgun key', 'key-[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['Mailchimp key', '[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9])'],
  ['Brevo key', 'x(?:keysib|smtpsib)-[A-Za-z0-9-]{20,}'],
  ['Resend key', 're_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}'],
  ['Notion token', '(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])'],
  ['Linear key', 'lin_(?:api|oauth)_[A-Za-z0-9]{20,}'],
  ['Airtable token', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}(?![A-Za-z0-9])'],
  ['Figma token', 'fig[do]r?_[A-Za-z0-9_-]{20,}'],
  // Money
  ['Stripe key', '(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{8,}'],
  ['Stripe webhook secret', 'whsec_[A-Za-z0-9+/=]{16,}'],
  ['Shopify token', 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}'],
  ['Square token', '(?:sq0[a-z]{3}-|EAAA)[A-Za-z0-9_-]{22,}'],
  ['Facebook token', 'EAA[A-Za-z0-9]{80,}'],
  ['Razorpay key', 'rzp_(?:live|test)_[A-Za-z0-9]{10,}'],
  // Everywhere
  ['JSON Web Token', 'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){0,3}'],
]
