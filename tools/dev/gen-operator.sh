#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# gen-operator.sh DIR - writes objects for prometheus-operator into DIR, from the files for a
# Prometheus without it: podmonitor.yaml, with the relabelings of scrape.yaml, and
# prometheusrule.yaml, with the groups of rules.yml and alerts.yml

set -e
exporter=$(dirname "$0")/../n3exporter
scrape=$exporter/deploy/scrape.yaml
mkdir -p "$1"

# begins KIND NAME - also the labels that a Prometheus may select objects by
begins()
{
	cat <<-END
	# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
	# Add the labels by which your Prometheus selects its objects.
	apiVersion: monitoring.coreos.com/v1
	kind: $1
	metadata:
	  name: $2
	  namespace: n3-telemetry
	  labels: {app.kubernetes.io/name: n3-exporter}
	spec:
	END
}

# after LINE FILE - the rest of the file as a value
after() { sed "1,/^ *$1:\$/d; s/^/  /" "$2"; }

{
	begins PodMonitor n3-exporter
	cat <<-END
	  selector:
	    matchLabels: {app.kubernetes.io/name: n3-exporter}
	  podMetricsEndpoints:
	  - port: metrics
	    # web: scheme: https
	    # web: tlsConfig: {ca: {secret: {name: n3-exporter-web, key: ca.pem}}}
	    relabelings:
	    - targetLabel: job
	      replacement: $(sed -n 's/^- job_name: //p' "$scrape")
	END
	after relabel_configs "$scrape" | sed 's/source_labels/sourceLabels/; s/target_label/targetLabel/'
} >"$1/podmonitor.yaml"
{
	begins PrometheusRule n3-telemetry
	echo '  groups:'
	for name in rules alerts; do
		after groups "$exporter/prometheus/$name.yml"
	done
} >"$1/prometheusrule.yaml"
