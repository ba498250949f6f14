// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_check.h"
#include "sql/types/profile.h"
#include "ui/widgets/wizard.h"

class QCheckBox;
class QDateTimeEdit;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableView;

namespace idemdesk::models {
class Settings;
class StatementPreviewer;
} // namespace idemdesk::models

namespace idemdesk::ui {

class StatementMapForm;

/// Asks for a provider's statement and what its columns mean, with a preview of its first lines. Nothing is compared
/// before the person says so; how it is read is remembered for that provider.
class StatementWizard final : public Wizard
{
    Q_OBJECT

public:
    enum Step { FileStep, ColumnsStep };

    /// settings outlives it. provider: as the profile calls it, or empty.
    StatementWizard(models::Settings *settings, const sql::Profile &profile, const QString &provider, QWidget *parent);

    QString path() const; ///< of the file, as it was typed
    void setPath(const QString &path);

signals:
    void comparisonWanted(const idemdesk::models::StatementQuestion &question);

protected:
    void entered(int step) override;
    void go(int step) override;

private:
    QWidget *filePage(const sql::Profile &profile, const QString &provider);
    QWidget *columnsPage();
    QWidget *coversBar(QWidget *page);
    QWidget *marginBar(QWidget *page);
    QString fault() const; ///< why it cannot be compared so
    void chooseFile();
    void look(); ///< by what is chosen
    void sync();
    void takePreview();
    bool isOfAnotherFile() const;

    models::Settings *m_settings;
    models::StatementPreviewer *m_previewer;
    QLineEdit *m_path = nullptr;
    QLineEdit *m_provider = nullptr;
    StatementMapForm *m_map = nullptr;
    QTableView *m_lines = nullptr;
    QCheckBox *m_covers = nullptr;
    QDateTimeEdit *m_since = nullptr; ///< UTC
    QDateTimeEdit *m_until = nullptr;
    QSpinBox *m_margin = nullptr; ///< minutes
    bool m_fresh = false; ///< the next preview says which columns there are
    bool m_guessed = false; ///< what is remembered does not fit this file
};

} // namespace idemdesk::ui
