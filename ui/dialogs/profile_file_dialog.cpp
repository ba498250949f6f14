// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/profile_file_dialog.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/mapping/sql_to_confirm.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/text_view.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr QSize kProfileFileSize(760, 520); // pixels
constexpr qsizetype kProfileNameChars = 80;

} // namespace

ProfileFileDialog::ProfileFileDialog(
    models::ConnectionController *connection, sql::Profile profile, QString path, QWidget *parent)
    : QDialog(parent)
    , m_connection(connection)
    , m_profile(std::move(profile))
    , m_path(std::move(path))
    , m_notice(new NoticeBar(this))
    , m_sql(new QPlainTextEdit(this))
    , m_read(new QCheckBox(tr("I have &read this SQL and want it to run"), this))
    , m_buttons(new ButtonRow(this))
    , m_go(m_buttons->addGo(u"profileFileAdd"_s, tr("&Add table")))
{
    setObjectName(u"profileFileDialog"_s);
    setWindowTitle(tr("Open a profile file"));
    m_notice->setObjectName(u"profileFileNotice"_s);
    QLabel *heading = titleLabel(models::displayText(m_profile.relation, kProfileNameChars), this);
    heading->setWordWrap(true);
    m_sql->setPlainText(models::displayBlock(models::confirmationText(m_profile)));
    setUpCode(m_sql, u"profileFileSql"_s, tr("The SQL that will run"));
    QLabel *label = buddyLabel(
        tr("These e&xpressions will run on the server with your rights, each time this table is shown"), m_sql, this);
    label->setWordWrap(true);
    m_read->setObjectName(u"profileFileRead"_s);
    m_read->setAccessibleName(tr("I have read this SQL and want it to run"));
    QLabel *note = noteLabel({}, u"profileFileNote"_s, this);
    note->setText(tr("From %1. The table is shown until you disconnect.")
                      .arg(models::displayText(QFileInfo(m_path).fileName(), kProfileNameChars)));
    m_buttons->setDefault(m_buttons->addStay(u"profileFileCancel"_s, tr("Cancel")));
    auto *layout = dialogColumn(this);
    layout->addWidget(heading);
    layout->addWidget(note);
    layout->addWidget(m_notice);
    layout->addWidget(label);
    layout->addWidget(m_sql, 1);
    layout->addWidget(m_read);
    layout->addWidget(m_buttons);
    connect(m_read, &QCheckBox::toggled, this, &ProfileFileDialog::sync);
    connect(m_go, &QPushButton::clicked, this, &ProfileFileDialog::add);
    connect(connection, &models::ConnectionController::targetAdded, this, [this](const QString &name) {
        if (m_adding && name == m_profile.name) {
            emit added(name);
            accept();
        }
    });
    connect(connection, &models::ConnectionController::targetFailed, this,
        [this](const QString &name, const sql::Error &error) {
            if (m_adding && name == m_profile.name) {
                m_adding = false;
                m_notice->showError(error);
                sync();
            }
        });
    connect(connection, &models::ConnectionController::databaseChanged, this, &QDialog::reject); // it was read for that
    sync();
    resize(kProfileFileSize);
}

void ProfileFileDialog::add()
{
    m_adding = true;
    m_notice->clear();
    sync();
    m_connection->addProfile(m_profile, models::TargetSource::File, m_path, m_read->isChecked());
}

void ProfileFileDialog::sync()
{
    m_read->setEnabled(!m_adding);
    m_go->setEnabled(m_read->isChecked() && !m_adding);
    m_buttons->showReason(m_adding ? tr("Reading the table…")
            : m_read->isChecked()  ? QString()
                                   : tr("Read the SQL and tick the box first."));
}

} // namespace idemdesk::ui
