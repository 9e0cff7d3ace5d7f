{{- define "countersign.name" -}}
{{- printf "%s-countersign" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "countersign.labels" -}}
app.kubernetes.io/name: countersign
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "countersign.selector" -}}
app.kubernetes.io/name: countersign
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "countersign.image" -}}
{{- printf "%s:%s" (required "Set image.repository to the image that you built with deploy/Dockerfile" .Values.image.repository) (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* Of every container. The secrets of one role are in its own template. */}}
{{- define "countersign.settings" -}}
- name: DATA_DIR
  value: /var/lib/countersign
- name: HOST
  value: "0.0.0.0"
- name: PORT
  value: "3000"
- name: METRICS_PORT
  value: "9464"
- name: METRICS_HOST
  value: "0.0.0.0"
{{- if not .Values.settings.PUBLIC_URL }}
{{- fail "Set settings.PUBLIC_URL to the address that people use, such as https://sign.example.com" }}
{{- end }}
{{- if not (or .Values.documentsClaim .Values.settings.S3_ENDPOINT) }}
{{- fail "Set documentsClaim, or settings.S3_ENDPOINT and what belongs to it: documents must outlive the pods" }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range concat (list "APP_SECRET" "DATABASE_APP_URL") .Values.secretSettings }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.secretName }}
      key: {{ . }}
{{- end }}
{{- end -}}

{{- define "countersign.securityOfPod" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "countersign.securityOfContainer" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "countersign.mounts" -}}
- name: data
  mountPath: /var/lib/countersign
{{- if .Values.documentsClaim }}
- name: documents
  mountPath: /var/lib/countersign/blobs
{{- end }}
- name: tmp
  mountPath: /tmp
{{- end -}}

{{- define "countersign.volumes" -}}
- name: data
  emptyDir: {}
{{- if .Values.documentsClaim }}
- name: documents
  persistentVolumeClaim:
    claimName: {{ .Values.documentsClaim }}
{{- end }}
- name: tmp
  emptyDir: {}
{{- end -}}

{{- define "countersign.probes" -}}
# The port is open when the process has started, which takes seconds.
startupProbe:
  httpGet:
    path: /healthz
    port: metrics
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet:
    path: /readyz
    port: metrics
  periodSeconds: 5
  timeoutSeconds: 3
livenessProbe:
  httpGet:
    path: /healthz
    port: metrics
  periodSeconds: 10
  timeoutSeconds: 5
{{- end -}}

{{- define "countersign.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "countersign.ownerSecrets" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.secretName }}
      key: DATABASE_URL
- name: DATABASE_QUEUE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.secretName }}
      key: DATABASE_QUEUE_URL
{{- end -}}
