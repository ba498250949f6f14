// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/mapping/mapping_model.h"
#include "models/mapping/proposal_model.h"
#include "models/mapping/states_model.h"
#include "models/request/request.h"
#include "sql/types/result.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>
#include <optional>

namespace idemdesk::models {

/// The Add-table form without its widgets. Steps: detect() -> choose() -> edit -> validate() -> confirmSql() -> save().
/// Expressions a person types run only after confirmSql(): until then only those that detection proposed are sampled.
class MappingController final : public QObject
{
    Q_OBJECT

public:
    explicit MappingController(QString profileFolder, QObject *parent = nullptr);
    ~MappingController() override;

    void setDatabase(sql::Database *database);
    ProposalModel *proposals() const { return m_proposals; }
    qsizetype notLookedAt() const { return m_notLookedAt; } ///< tables that may not be read, by the last detect()
    MappingModel *mapping() const { return m_mapping; }
    StatesModel *states() const { return m_states; }

    /// Looks for tables; detected() or failed() follows. knownOids: relations that are targets already.
    void detect(const QString &schema, const QList<quint32> &knownOids);
    /// A mapping that a table has already: it is what the form begins with, and it can be removed where it is a file of
    /// the person's folder.
    struct Known {
        quint32 oid = 0;
        sql::Profile profile;
        QString file; ///< empty: it comes with the console, or was registered elsewhere
    };
    void setKnown(const QList<Known> &known) { m_known = known; }
    void choose(int proposalRow); ///< starts the form from this proposal, or from the mapping that is there
    const Known *known(int proposalRow) const; ///< null: the table has no mapping yet
    bool removable(int proposalRow) const;
    sql::Result<QString> remove(int proposalRow); ///< takes the file away; gives the profile's name
    /// Starts the form from any table the person names, however weak the proposal.
    void chooseRelation(const QString &relation);

    const sql::Profile &profile() const { return m_profile; } ///< as edited
    void takeAsChosen(); ///< what is there now is what the person begins with
    bool changed() const; ///< since then; what the server says of a part is no change
    const sql::RelationFacts &relation() const { return m_relation; }
    void setName(const QString &name); ///< a-z, 0-9, "-" and "_"; also the file's name
    void setTitle(const QString &title);
    void setKind(sql::TargetKind kind);
    /// Takes the rules of this text (rules_text.h), or says what is wrong and leaves the profile as it is.
    sql::Result<void> setRules(const QString &text);
    void setIdentity(const QStringList &columns); ///< takes back what validate() found
    /// A usable unique index over just these columns, or some of them, all NOT NULL.
    bool identityProven() const;
    QString sqlToConfirm() const; ///< every expression that will run, one a line, as the person must see it
    bool sqlConfirmed() const { return m_confirmed; }
    void confirmSql(); ///< the person has seen sqlToConfirm(); any edit of an expression takes it back
    void refreshSamples();

    /// Nothing would run that the person has not confirmed.
    bool mayValidate() const;
    /// Checks the profile against the live table; validated() follows.
    void validate();
    const QList<sql::Finding> &findings() const { return m_findings; }
    bool checked() const { return m_checked; } ///< the findings are of the mapping as it is now
    bool busy() const;

    /// Writes the profile to the person's folder and gives the file's path. Refused while the SQL is not confirmed, and
    /// where the check found a problem or has not been made: what cannot be used is not kept.
    sql::Result<QString> save();

signals:
    void busyChanged();
    void detected();
    void chosen();
    void validated();
    void confirmationChanged();
    void failed(const idemdesk::sql::Error &error);

private:
    void start(const sql::Proposal &proposal);
    void startKnown(const sql::Proposal &proposal, const Known &known);
    void show();
    void onEdited();
    void dropFindings();
    void dropCheck();
    void readSamples();
    void readStatuses();
    bool mayRun(const QString &sqlText) const;
    void takeBackConfirmation();

    QString m_profileFolder;
    QList<Known> m_known;
    ProposalModel *m_proposals;
    MappingModel *m_mapping;
    StatesModel *m_states;
    Request m_finding { QStringLiteral("mapping/find") }; ///< proposals, or the one for a named table
    Request m_sampling { QStringLiteral("mapping/samples") };
    Request m_counting { QStringLiteral("mapping/statuses") };
    Request m_checking { QStringLiteral("mapping/validate") }; ///< dropped by any change of the mapping
    QByteArray m_asChosen; ///< the profile that the person began with, as JSON
    sql::Profile m_profile;
    sql::RelationFacts m_relation;
    QStringList m_trustedSql; ///< what detection proposed: made by this console itself
    QList<sql::Finding> m_findings;
    bool m_confirmed = false;
    qsizetype m_notLookedAt = 0;
    bool m_checked = false;
    QTimer m_sampleTimer;
    QString m_savedPath; ///< written by this form, so it may be written again
};

} // namespace idemdesk::models
