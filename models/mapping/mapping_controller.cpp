// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/mapping_controller.h"

#include "models/connection/target_finder.h"
#include "models/format/display_text.h"
#include "models/keys/private_file.h"
#include "models/mapping/rules_text.h"
#include "models/mapping/sql_to_confirm.h"
#include "sql/detect/detect.h"
#include "sql/lanes/database.h"
#include "sql/profile/binder.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/profile_json.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSampleRows = 5;
constexpr int kPreviewDeadlineMs = 30'000;
constexpr int kProposeDeadlineMs = 60'000;
constexpr int kMappingDeadlineMs = 300'000;

} // namespace

MappingController::MappingController(QString profileFolder, QObject *parent)
    : QObject(parent)
    , m_profileFolder(std::move(profileFolder))
    , m_proposals(new ProposalModel(this))
    , m_mapping(new MappingModel(this))
    , m_states(new StatesModel(this))
{
    m_sampleTimer.setSingleShot(true);
    m_sampleTimer.setInterval(300);
    connect(&m_sampleTimer, &QTimer::timeout, this, &MappingController::readSamples);
    connect(m_mapping, &MappingModel::edited, this, &MappingController::onEdited);
    for (const Request *request : { &m_finding, &m_sampling, &m_counting, &m_checking }) {
        connect(request, &Request::changed, this, &MappingController::busyChanged);
    }
    connect(m_states, &StatesModel::edited, this, [this] {
        m_profile = m_states->applied(m_profile);
        dropFindings();
    });
}

MappingController::~MappingController() = default;

void MappingController::setDatabase(sql::Database *database)
{
    for (Request *request : { &m_finding, &m_sampling, &m_counting, &m_checking }) {
        request->drop();
        request->setDatabase(database);
    }
    m_sampleTimer.stop();
    m_proposals->setProposals({}, {});
    m_profile = {};
    m_relation = {};
    m_mapping->setProfile({}, {});
    m_states->setProfile({});
    m_findings.clear();
    m_checked = false;
    emit busyChanged();
}

bool MappingController::busy() const
{
    return m_finding.busy() || m_sampling.busy() || m_counting.busy() || m_checking.busy();
}

void MappingController::detect(const QString &schema, const QList<quint32> &knownOids)
{
    dropCheck();
    m_finding.ask(
        { sql::LaneKind::Background, kMappingDeadlineMs },
        [schema](sql::Session &session) { return sql::detectTargets(session, schema); },
        [this, knownOids](const sql::Result<sql::Detected> &found) {
            if (!found) {
                emit failed(found.error());
                return;
            }
            m_notLookedAt = found->notReadable.size() + found->notSampled.size();
            m_proposals->setProposals(found->proposals, knownOids);
            emit detected();
        });
}

void MappingController::choose(int proposalRow)
{
    const sql::Proposal *proposal = m_proposals->row(proposalRow);
    if (proposal == nullptr) {
        return;
    }
    if (const Known *there = known(proposalRow)) {
        startKnown(*proposal, *there);
    } else {
        start(*proposal);
    }
}

const MappingController::Known *MappingController::known(int proposalRow) const
{
    const sql::Proposal *proposal = m_proposals->row(proposalRow);
    const auto found = std::find_if(m_known.cbegin(), m_known.cend(),
        [proposal](const Known &each) { return proposal != nullptr && each.oid == proposal->relation.oid; });
    return found == m_known.cend() ? nullptr : &*found;
}

bool MappingController::removable(int proposalRow) const
{
    const Known *there = known(proposalRow);
    return there != nullptr && !there->file.isEmpty()
        && QFileInfo(there->file).absolutePath() == QFileInfo(m_profileFolder).absoluteFilePath();
}

sql::Result<QString> MappingController::remove(int proposalRow)
{
    const Known *there = removable(proposalRow) ? known(proposalRow) : nullptr;
    if (there == nullptr) {
        return sql::makeError(sql::ErrorKind::Refused, tr("The mapping was not removed."),
            tr("It is no file of yours."), tr("A registered table is taken out by an administrator."));
    }
    const Known gone = *there;
    if (QFile file(gone.file); !file.remove() && file.exists()) {
        return fileError(gone.file, file.errorString(), false);
    }
    m_known.removeIf([&gone](const Known &each) { return each.oid == gone.oid; });
    QList<quint32> oids;
    for (const Known &each : std::as_const(m_known)) {
        oids += each.oid;
    }
    m_proposals->setProposals(m_proposals->rows(), oids);
    return gone.profile.name;
}

/// Its file may be written again under the same name. Nothing in it is trusted: others may have written it since.
void MappingController::startKnown(const sql::Proposal &proposal, const Known &known)
{
    m_profile = known.profile;
    if (known.file.isEmpty()) {
        m_profile.name = m_profile.name.left(59) + u"-own"_s; // the name it has belongs to the console
    }
    m_relation = proposal.relation;
    m_savedPath = known.file;
    m_trustedSql.clear();
    show();
}

void MappingController::chooseRelation(const QString &relation)
{
    dropCheck();
    m_finding.ask(
        { sql::LaneKind::Background, kProposeDeadlineMs },
        [relation](sql::Session &session) -> sql::Result<sql::Proposal> {
            TRY(const auto facts, sql::readRelation(session, relation));
            return sql::proposeFor(session, facts);
        },
        [this](const sql::Result<sql::Proposal> &proposal) {
            if (proposal) {
                start(*proposal);
            } else {
                emit failed(proposal.error());
            }
        });
}

void MappingController::start(const sql::Proposal &proposal)
{
    m_profile = proposal.profile;
    m_relation = proposal.relation;
    m_savedPath.clear();
    m_trustedSql = expressionsOf(m_profile);
    show();
}

void MappingController::show()
{
    m_findings.clear();
    m_checked = false;
    dropCheck();
    m_mapping->setProfile(m_profile, m_relation);
    m_states->setProfile(m_profile);
    takeBackConfirmation();
    emit chosen();
    readSamples();
    readStatuses();
}

void MappingController::onEdited()
{
    m_profile = m_mapping->applied(m_profile);
    dropFindings();
    takeBackConfirmation();
    m_sampleTimer.start();
}

void MappingController::takeBackConfirmation()
{
    m_confirmed = false;
    emit confirmationChanged();
}

void MappingController::setName(const QString &name)
{
    m_profile.name = name;
}

void MappingController::setTitle(const QString &title)
{
    m_profile.title = title;
}

void MappingController::setKind(sql::TargetKind kind)
{
    if (m_profile.kind != kind) {
        m_profile.kind = kind;
        dropFindings();
    }
}

sql::Result<void> MappingController::setRules(const QString &text)
{
    TRY(const auto profile, withRules(m_states->applied(m_mapping->applied(m_profile)), text));
    if (sql::profileToJson(profile) != sql::profileToJson(m_profile)) {
        m_profile = profile;
        dropFindings();
        takeBackConfirmation();
    }
    return {};
}

/// What was found was found of another mapping; an answer on its way is of that one, too.
void MappingController::dropFindings()
{
    dropCheck();
    m_findings.clear();
    m_checked = false;
    emit validated();
}

void MappingController::dropCheck()
{
    if (m_checking.busy()) {
        m_checking.drop();
        emit busyChanged();
    }
}

void MappingController::setIdentity(const QStringList &columns)
{
    m_profile.identity = columns;
    dropFindings();
}

bool MappingController::identityProven() const
{
    const auto covered = [this](const QString &column) {
        const sql::ColumnFacts *facts = m_relation.column(column);
        return facts != nullptr && facts->notNull && m_profile.identity.contains(column);
    };
    return std::any_of(m_relation.indexes.cbegin(), m_relation.indexes.cend(), [&](const sql::IndexFacts &index) {
        const QStringList keys = index.columns.mid(0, index.keyColumns);
        return index.unique && index.valid && index.predicate.isEmpty() && !keys.isEmpty()
            && std::all_of(keys.cbegin(), keys.cend(), covered);
    });
}

QString MappingController::sqlToConfirm() const
{
    return confirmationText(m_profile);
}

void MappingController::confirmSql()
{
    if (m_profile.relation.isEmpty()) {
        return;
    }
    m_confirmed = true;
    emit confirmationChanged();
    readSamples();
    readStatuses();
}

void MappingController::refreshSamples()
{
    readSamples();
    readStatuses();
}

/// Plain columns and what this console itself proposed run at once; what a person typed waits until it was shown to
/// them.
bool MappingController::mayRun(const QString &sqlText) const
{
    if (m_confirmed || m_trustedSql.contains(sqlText)) {
        return true;
    }
    return std::any_of(m_relation.columns.cbegin(), m_relation.columns.cend(),
        [&sqlText](const sql::ColumnFacts &column) { return sqlText == "t."_L1 + sql::quoteIdentifier(column.name); });
}

void MappingController::readSamples()
{
    m_sampleTimer.stop();
    if (m_sampling.database() == nullptr || m_relation.oid == 0) {
        return;
    }
    QStringList ids;
    QStringList expressions;
    bool typed = false;
    for (const MappingModel::Line &line : m_mapping->rows()) {
        if (line.sql.isEmpty() || !mayRun(line.sql)) {
            continue;
        }
        sql::Expression expression;
        expression.sql = line.sql;
        expression.form = line.form;
        expression.zone = line.zone;
        const auto role = sql::roleFromName(line.id);
        ids.append(line.id);
        expressions.append(role && sql::isTimeRole(*role) && line.form != sql::TimeForm::Native
                ? sql::timestamptzSql(expression)
                : line.sql);
        typed = typed || !m_trustedSql.contains(line.sql);
    }
    if (expressions.isEmpty()) {
        return;
    }
    m_sampling.ask(
        { sql::LaneKind::Background, kPreviewDeadlineMs },
        [relation = m_relation, expressions, typed, confirmed = m_confirmed, name = m_profile.name](
            sql::Session &session) -> sql::Result<QList<sql::Cells>> {
            if (typed && confirmed && session.facts().superuser) {
                return superuserRefusal(name);
            }
            return sql::previewExpressions(session, relation, expressions, kSampleRows);
        },
        [this, ids](const sql::Result<QList<sql::Cells>> &samples) {
            if (samples) {
                m_mapping->setSamples(ids, *samples);
            } else {
                emit failed(samples.error());
            }
        });
}

void MappingController::readStatuses()
{
    const QString statusSql = m_profile.role(sql::Role::Status).sql;
    if (m_relation.oid == 0 || statusSql.isEmpty() || !mayRun(statusSql)) {
        return;
    }
    m_counting.ask(
        { sql::LaneKind::Background, kPreviewDeadlineMs },
        [relation = m_relation, statusSql](
            sql::Session &session) { return sql::sampleStatuses(session, relation, statusSql); },
        [this, statusSql](const sql::Result<QList<sql::StatusCount>> &counts) {
            if (!counts || statusSql != m_profile.role(sql::Role::Status).sql) {
                return; // why the expression fails stands on its line already
            }
            QList<std::pair<sql::Cell, qint64>> pairs;
            for (const sql::StatusCount &count : *counts) {
                pairs.append({ count.status, count.rows });
            }
            m_states->setOccurring(pairs);
            emit confirmationChanged();
        });
}

bool MappingController::mayValidate() const
{
    return std::all_of(m_mapping->rows().cbegin(), m_mapping->rows().cend(),
        [this](const MappingModel::Line &line) { return line.sql.isEmpty() || mayRun(line.sql); });
}

void MappingController::validate()
{
    if (m_checking.database() == nullptr) {
        return;
    }
    if (!mayValidate()) {
        emit failed(sql::makeError(sql::ErrorKind::Refused, tr("The profile was not checked."),
            tr("It holds SQL that you have not confirmed yet."), tr("Read the SQL shown and confirm it first.")));
        return;
    }
    const sql::Profile profile = m_states->applied(m_mapping->applied(m_profile));
    m_finding.drop(); // it would begin another mapping under the check
    m_checking.ask(
        { sql::LaneKind::Background, kMappingDeadlineMs },
        [profile](sql::Session &session) { return sql::validateTarget(session, profile); },
        [this](const sql::Result<QList<sql::Finding>> &findings) {
            if (!findings) {
                emit failed(findings.error());
                return;
            }
            m_findings = *findings;
            m_checked = true;
            m_mapping->setFindings(m_findings);
            emit validated();
        });
}

sql::Result<QString> MappingController::save()
{
    const QString what = tr("The profile was not saved.");
    static const QRegularExpression nameForm(u"^[a-z0-9][a-z0-9_-]{0,62}$"_s);
    if (!nameForm.match(m_profile.name).hasMatch()) {
        return sql::makeError(sql::ErrorKind::Refused, what, tr("Its name must consist of a-z, 0-9, “-” and “_”."),
            tr("Choose another name."));
    }
    if (sql::shippedProfile(m_profile.name)) {
        return sql::makeError(sql::ErrorKind::Refused, what, tr("A profile of that name comes with the console."),
            tr("Choose another name."));
    }
    if (!m_confirmed) {
        return sql::makeError(sql::ErrorKind::Refused, what, tr("Its SQL has not been confirmed."),
            tr("Read the SQL shown and confirm it first."));
    }
    if (!m_checked) {
        return sql::makeError(sql::ErrorKind::Refused, what, tr("It has not been checked against the live table."),
            tr("Check it first."));
    }
    const auto isProblem
        = [](const sql::Finding &finding) { return finding.severity == sql::Finding::Severity::Problem; };
    const auto problem = std::find_if(m_findings.cbegin(), m_findings.cend(), isProblem);
    if (problem != m_findings.cend()) {
        return sql::makeError(
            sql::ErrorKind::Refused, what, displayText(problem->text, kToolTipChars), tr("Mend it first."));
    }
    if (!QDir().mkpath(m_profileFolder)) {
        return fileError(m_profileFolder, tr("The folder cannot be made."), false);
    }
    const QString path = QDir(m_profileFolder).filePath(m_profile.name + ".json"_L1);
    if (path != m_savedPath && QFile::exists(path)) {
        return sql::makeError(
            sql::ErrorKind::Refused, what, tr("There is a profile of that name already."), tr("Choose another name."));
    }
    m_profile = m_states->applied(m_mapping->applied(m_profile));
    const QByteArray json = sql::profileToJson(m_profile);
    // What cannot be read back would be lost at the next start.
    TRY(sql::profileFromJson(json, path));
    TRY(writePrivateFile(path, json));
    m_savedPath = path;
    return path;
}

void MappingController::takeAsChosen()
{
    m_asChosen = sql::profileToJson(m_profile);
}

bool MappingController::changed() const
{
    return sql::profileToJson(m_profile) != m_asChosen;
}

} // namespace idemdesk::models

#include "moc_mapping_controller.cpp"
