#!/bin/sh
# A CI step, with HOLDPOINT_URL and HOLDPOINT_AGENT_TOKEN as secrets. A restarted job continues its ask.
set -eu
holdpoint ask --approve "Deploy $CI_COMMIT to production?" --label "$CI_JOB" \
  --key "deploy $CI_COMMIT" --timeout 2h
echo "deploying $CI_COMMIT"
